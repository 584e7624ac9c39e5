/** The related catalogue for each language tag that has no catalogue of that name. */
const relatives: Readonly<Record<string, string>> = { nl: 'nl-be', sv: 'sv-se' }

/**
 * Returns the first wanted language that has a catalogue, or English when no wanted language has a catalogue. The exact
 * tag is tried before the language without its region.
 */
export function chooseLocale(wanted: readonly string[], available: readonly string[]): string {
  for (const tag of wanted) {
    const found = candidatesOf(tag.toLowerCase()).find((candidate) => available.includes(candidate))
    if (found !== undefined) return found
  }
  return 'en'
}

function candidatesOf(tag: string): string[] {
  const [language = ''] = tag.split('-')
  if (language === 'zh') return [/hant|tw|hk|mo/.test(tag) ? 'zh-tw' : 'zh-cn']
  return [tag, language, relatives[language] ?? '']
}
