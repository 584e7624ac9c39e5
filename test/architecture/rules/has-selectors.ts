import type { SourceTree } from '../source-tree.ts'

/**
 * Finds selectors that make Chromium compute the style of much of the page anew whenever an element is added (decision 189): those
 * that end in any element because of what another element contains, and those that ask every element what it contains.
 */
export const costlyHas = ({ styleSheets }: SourceTree): string[] =>
  styleSheets.flatMap(({ path, text }) =>
    selectorsIn(text)
      .filter(isCostly)
      .map((selector) => `${path} has ${selector}`),
  )

/** Returns the selectors of a style sheet that contain `:has()`, one for each part of a list. */
const selectorsIn = (text: string): readonly string[] =>
  [...text.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/[^{};]+(?=\{)/g)]
    .map(([selector]) => selector.trim())
    .filter((selector) => !selector.startsWith('@'))
    .flatMap((selector) => splitOutside(selector, /,/))
    .filter((selector) => selector.includes(':has('))

const isCostly = (selector: string): boolean => !isNamed(splitOutside(selector, /[\s>+~]/).at(-1) ?? '')

/** Returns true for a compound selector that names its elements. What they are not, and what they contain, is no name. */
function isNamed(compound: string): boolean {
  const rest = withoutCalls(withoutCalls(compound, ':not('), ':has(')
  if (/[.#[]|^\w|:root|:global\(\w/.test(withoutCalls(rest, ':is('))) return true
  const choices = /:is\((.*)\)/.exec(rest)?.[1] ?? ''
  return choices !== '' && splitOutside(choices, /,/).every((choice) => !isCostly(choice))
}

/** Splits a text at the separators that are outside of parentheses and brackets. Returns the parts that are not empty. */
function splitOutside(text: string, separator: RegExp): readonly string[] {
  const parts = ['']
  let depth = 0
  for (const character of text) {
    if ('(['.includes(character)) depth += 1
    if (')]'.includes(character)) depth -= 1
    if (depth === 0 && separator.test(character)) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** Removes all calls of a function, with their arguments. */
function withoutCalls(text: string, start: string): string {
  const at = text.indexOf(start)
  if (at === -1) return text
  let depth = 0
  for (let end = at + start.length - 1; end < text.length; end += 1) {
    if (text[end] === '(') depth += 1
    if (text[end] === ')') depth -= 1
    if (depth === 0) return text.slice(0, at) + withoutCalls(text.slice(end + 1), start)
  }
  return text.slice(0, at)
}
