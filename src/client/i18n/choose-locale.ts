/** The related catalogue for each language tag that has no catalogue of that name. */
const relatives: Readonly<Record<string, string>> = { nl: 'nl-be', sv: 'sv-se' }

/**
 * Returns the first wanted language that has a catalogue, or English when no wanted language has a catalogue. The exact
 * tag is tried before the language without its region. Letter case does not matter.
 */
export function chooseLocale<Tag extends string>(
  wanted: readonly string[],
  available: readonly Tag[],
): Tag | 'en' {
  for (const tag of wanted) {
    const candidates = candidatesOf(tag.toLowerCase())
    const found = candidates.flatMap((each) => available.filter((one) => one === each))[0]
    if (found !== undefined) return found
  }
  return 'en'
}

/** Returns the catalogues that suit a language tag, the best first. Chinese is chosen by its script. */
function candidatesOf(tag: string): string[] {
  const [language = ''] = tag.split('-')
  if (language === 'zh') return [/hant/.test(tag) || /^zh-(tw|hk|mo)/.test(tag) ? 'zh-tw' : 'zh-cn']
  return [tag, language, relatives[language] ?? '']
}
