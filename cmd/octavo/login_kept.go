package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// logins are the refresh tokens that were kept, by address of the server.
type logins struct {
	path    string
	Refresh map[string]string `json:"refreshTokens"`
}

func openLogins() (*logins, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return nil, fmt.Errorf("find the configuration folder: %w", err)
	}
	l := &logins{path: filepath.Join(dir, "octavo", "logins.json")}
	text, err := os.ReadFile(l.path)
	if err == nil {
		err = json.Unmarshal(text, l)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the sign-ins that were kept: %w", err)
	}
	if l.Refresh == nil {
		l.Refresh = map[string]string{}
	}
	return l, nil
}

// save writes the file anew, readable by its owner alone.
func (l *logins) save() error {
	text, err := json.Marshal(l)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(l.path), 0o700)
	}
	if err != nil {
		return fmt.Errorf("keep the sign-in: %w", err)
	}
	file, err := os.CreateTemp(filepath.Dir(l.path), "logins-*") // 0600
	if err != nil {
		return fmt.Errorf("keep the sign-in: %w", err)
	}
	_, err = file.Write(text)
	err = errors.Join(err, file.Close())
	if err == nil {
		err = os.Rename(file.Name(), l.path)
	}
	if err != nil {
		return fmt.Errorf("keep the sign-in: %w", errors.Join(err, os.Remove(file.Name())))
	}
	return nil
}
