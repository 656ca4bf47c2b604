package words

import (
	"slices"
	"testing"
)

func TestLanguageOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		titles []string
		want   string
	}{
		{nil, ""},
		{[]string{"Getting started", "Глава"}, ""},
		{[]string{"Vue 指南", "组件基础", "Props"}, "zh"},
		{[]string{"Vue 指南", "組件基礎", "表單輸入綁定"}, "zh-Hant"},
		{[]string{"الدليل", "أساسيات", "Props"}, "ar"},
		{[]string{"شروع سریع", "پیشرفته", "Props"}, "fa"},
		{[]string{"اقوال کی گردش", "قول دکھانا", "شامل کرنے کے لیے"}, "ur"},
		{[]string{"دەستپێکردن", "ڕێنمایی"}, "ckb"},
		{[]string{"ព័ត៌មានអំពី KOOMPI"}, "km"},
		{[]string{"コンポーネント", "入門", "動態範囲", "API"}, "ja"},
		{[]string{"시작하기", "설정"}, "ko"},
		{[]string{"התחלה"}, "he"},
		{[]string{"One 中 title among many of another language"}, ""},
	} {
		if have := LanguageOf(slices.Values(c.titles)); have != c.want {
			t.Errorf("LanguageOf(%q): have %q, want %q", c.titles, have, c.want)
		}
	}
}
