/** The languages of the client: the tag of each catalogue `locales/<tag>.po`, and the name of the language in itself. */
export const languageNames = {
  ar: 'العربية',
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  is: 'Íslenska',
  it: 'Italiano',
  ja: '日本語',
  ko: '한국어',
  'nl-be': 'Nederlands (België)',
  pl: 'Polski',
  pt: 'Português (Portugal)',
  'pt-br': 'Português (Brasil)',
  ro: 'Română',
  ru: 'Русский',
  sk: 'Slovenčina',
  'sv-se': 'Svenska',
  tr: 'Türkçe',
  'zh-cn': '简体中文',
  'zh-tw': '繁體中文',
} as const

export type Language = keyof typeof languageNames

export const languageTags = Object.keys(languageNames) as readonly Language[]
