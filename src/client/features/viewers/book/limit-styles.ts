/** The largest number of rules of a style sheet. Those of books have some hundred. */
const maxRules = 1000

/**
 * The selectors that a book may use: up to four elements, classes or ids inside of each other or after each other. Others
 * could take seconds to match, or belong to the page around the chapter.
 */
const part = String.raw`(?:[a-z][\w-]*|(?=[.#]))(?:[.#][\w-]+)*(?::first-child|:last-child|::first-letter|::first-line)?`
const allowedSelector = new RegExp(`^${part}(?: (?:[>+] )?${part}){0,3}$`, 'i')

const word = /^[a-z-]+$/
const distance = /^(auto|0|0px|-?\d?\d?(\.\d+)?em|[1-3]?\d(\.\d+)?%)$/

/**
 * The properties that a book may set, and the form of their values: emphasis, alignment and spacing. Colours and sizes in
 * pixels are left to the reader's theme and text size. No value may contain an address.
 */
const allowedProperties: Readonly<Record<string, RegExp>> = {
  display: /^none$/,
  'font-size':
    /^([12](\.\d+)?em|0?\.[5-9]\d*em|([5-9]\d|1\d\d|2\d\d)(\.\d+)?%|smaller|larger|(x-)?small|medium|(x-)?large)$/,
  'font-style': word,
  'font-variant-caps': word,
  'font-weight': /^([a-z]+|[1-9]00)$/,
  'letter-spacing': /^(normal|0?\.\d+em)$/,
  'list-style-type': word,
  'margin-bottom': distance,
  'margin-left': distance,
  'margin-right': distance,
  'margin-top': distance,
  'text-align': word,
  'text-decoration-line': /^[a-z -]+$/,
  'text-indent': distance,
  'text-transform': word,
  'vertical-align': word,
  'white-space-collapse': word,
}

/**
 * Reads the style sheet of a book, and returns one with the allowed properties of its rules. Rules inside of other rules,
 * such as those for a medium, are left out. Nothing is loaded: such a sheet has no imports, and the original is never used.
 */
export function limitStyles(text: string): string {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  return [...sheet.cssRules]
    .slice(0, maxRules)
    .flatMap((rule) => (rule instanceof CSSStyleRule ? [limitRule(rule)] : []))
    .join('\n')
}

function limitRule({ selectorText, style }: CSSStyleRule): string {
  const selectors = selectorText.split(', ').filter((selector) => allowedSelector.test(selector))
  const declarations = Object.entries(allowedProperties).flatMap(([property, form]) => {
    const value = style.getPropertyValue(property)
    return form.test(value) ? [`${property}: ${value}`] : []
  })
  return selectors.length === 0 || declarations.length === 0
    ? ''
    : `${selectors.join(', ')} { ${declarations.join('; ')} }`
}
