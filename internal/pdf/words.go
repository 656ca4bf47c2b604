package pdf

import "strings"

// words are what a book says by itself.
type words struct {
	contents, of, footnote         string
	note, tip, info, warn, danger  string
	required, deprecated, standard string
}

// wordsIn returns the words in a language, a tag of BCP 47; those of English
// where there are none.
func wordsIn(language string) words {
	primary, _, _ := strings.Cut(strings.ToLower(language), "-")
	if w, ok := translations[primary]; ok {
		return w
	}
	return translations["en"]
}

var translations = map[string]words{
	"ar": {"المحتويات", "/", "حاشية", "ملاحظة", "نصيحة", "معلومات", "تحذير", "خطر", "مطلوب", "مهمل", "افتراضي"},
	"de": {"Inhalt", "von", "Fußnote", "Hinweis", "Tipp", "Info", "Warnung", "Gefahr", "erforderlich", "veraltet", "Vorgabe"},
	"en": {"Contents", "of", "Footnote", "Note", "Tip", "Info", "Warning", "Danger", "required", "deprecated", "default"},
	"es": {"Índice", "de", "Nota al pie", "Nota", "Consejo", "Información", "Advertencia", "Peligro", "obligatorio", "obsoleto", "por defecto"},
	"fr": {"Table des matières", "sur", "Note de bas de page", "Remarque", "Astuce", "Information", "Avertissement", "Danger", "obligatoire", "obsolète", "par défaut"},
	"he": {"תוכן העניינים", "/", "הערת שוליים", "הערה", "טיפ", "מידע", "אזהרה", "סכנה", "חובה", "מיושן", "ברירת מחדל"},
	"it": {"Indice", "di", "Nota a piè di pagina", "Nota", "Suggerimento", "Informazione", "Avviso", "Pericolo", "obbligatorio", "deprecato", "predefinito"},
	"ja": {"目次", "/", "脚注", "補足", "ヒント", "情報", "警告", "危険", "必須", "非推奨", "既定値"},
	"ko": {"목차", "/", "각주", "참고", "팁", "정보", "경고", "위험", "필수", "지원 중단", "기본값"},
	"nl": {"Inhoud", "van", "Voetnoot", "Opmerking", "Tip", "Info", "Waarschuwing", "Gevaar", "verplicht", "verouderd", "standaard"},
	"pt": {"Sumário", "de", "Nota de rodapé", "Nota", "Dica", "Informação", "Aviso", "Perigo", "obrigatório", "obsoleto", "padrão"},
	"ru": {"Содержание", "из", "Сноска", "Примечание", "Совет", "Информация", "Предупреждение", "Опасность", "обязательно", "устарело", "по умолчанию"},
	"zh": {"目录", "/", "脚注", "说明", "提示", "信息", "警告", "危险", "必填", "已弃用", "默认值"},
}

// callout returns what a box of that kind is called that has no title.
func (w words) callout(variant string) string {
	switch variant {
	case "tip":
		return w.tip
	case "info":
		return w.info
	case "warning":
		return w.warn
	case "danger":
		return w.danger
	}
	return w.note
}

// words returns the words in the language of the page that is set.
func (b *builder) words() words {
	if b.page.Language != "" {
		return wordsIn(b.page.Language)
	}
	return wordsIn(b.book.Language)
}
