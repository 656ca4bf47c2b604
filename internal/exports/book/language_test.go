package book

import "testing"

func TestLanguageOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		titles []string
		want   string
	}{
		{nil, ""},
		{[]string{"Getting started", "Глава"}, ""},
		{[]string{"Vue 指南", "组件基础", "Props"}, "zh"},
		{[]string{"コンポーネント", "入門", "API"}, "ja"},
		{[]string{"시작하기", "설정"}, "ko"},
		{[]string{"התחלה"}, "he"},
		{[]string{"One 中 title among many of another language"}, ""},
	} {
		var pages []*Page
		for _, title := range c.titles {
			pages = append(pages, &Page{Title: title})
		}
		if have := languageOf(pages); have != c.want {
			t.Errorf("languageOf(%q): have %q, want %q", c.titles, have, c.want)
		}
	}
}
