import { createHash } from 'node:crypto'
import path from 'node:path'
import type { Plugin } from 'vite'
import { languageTags } from '../../src/client/i18n/language-list.ts'
import type { CompiledMessage } from '../../src/client/i18n/render-message.ts'
import { textParts, type TextPart, type TextRuns } from '../../src/client/i18n/text-part.ts'
import { compileMessage, readCatalogue } from './catalogue.ts'
import { readModule, type IdUse } from './id-uses.ts'
import { namesMessages, numberTexts, type TextNumbers } from './text-numbers.ts'

const src = path.resolve(import.meta.dirname, '../../src')

/**
 * Builds the texts of the client. It divides the catalogues into parts, replaces the ids of messages by numbers in the
 * code, compiles the English texts of each part into a module `virtual:texts/<part>`, and writes a JSON file for each
 * part of each other language.
 */
export function buildTexts(): Plugin {
  const numbers = numberTexts()
  const ids = new Set(numbers.numberOf.keys())
  let version = ''
  return {
    name: 'build-texts',
    apply: 'build',
    enforce: 'pre',
    buildStart() {
      const files = languageTags.filter((tag) => tag !== 'en').flatMap((tag) => filesOf(tag, numbers))
      const hash = createHash('sha256')
      for (const { source } of files) hash.update(source)
      version = hash.digest('base64url').slice(0, 8)
      for (const { name, source } of files)
        this.emitFile({ type: 'asset', fileName: `assets/texts-${version}-${name}.json`, source })
    },
    resolveId: (id) => (/^virtual:texts(\/|$)/.test(id) ? `\0${id}` : undefined),
    load(id) {
      if (id === '\0virtual:texts') return textFilesModule(version)
      const [, part] = /^\0virtual:texts\/(\w+)$/.exec(id) ?? []
      if (part === undefined) return undefined
      return `export const texts = JSON.parse(${JSON.stringify(JSON.stringify(runsOf(part as TextPart, numbers, englishTexts())))})`
    },
    transform(code, id) {
      const [file = ''] = id.split('?')
      if (!namesMessages(path.relative(src, file).replaceAll(path.sep, '/'))) return undefined
      const { uses } = readModule(file, code, ids)
      return uses.length === 0 ? undefined : { code: withNumbers(code, uses, numbers), map: null }
    },
  }
}

/** The addresses of the files are made from one hash, so that the first screen does not load a list of them. */
const textFilesModule = (version: string): string =>
  `export const languageTags = '${languageTags.join(' ')}'.split(' ');
  export const textFileOf = (language, part) => new URL('./texts-${version}-' + language + '-' + part + '.json', import.meta.url)`

const englishTexts = (): ReadonlyMap<string, string> =>
  new Map(readCatalogue('en').map(({ id, english }) => [id, english]))

function filesOf(language: string, numbers: TextNumbers): readonly { name: string; source: string }[] {
  const texts = new Map(readCatalogue(language).map(({ id, translation }) => [id, translation]))
  return textParts.map((part) => ({
    name: `${language}-${part}`,
    source: JSON.stringify(runsOf(part, numbers, texts)),
  }))
}

/** Returns the compiled texts of a part in lists of consecutive numbers. A message without a text is left out. */
function runsOf(
  part: TextPart,
  { idsOf, numberOf }: TextNumbers,
  texts: ReadonlyMap<string, string>,
): TextRuns {
  const runs: [number, CompiledMessage[]][] = []
  const numbered = idsOf[part].map((id) => ({ number: numberOf.get(id) ?? 0, text: texts.get(id) ?? '' }))
  for (const { number, text } of numbered.toSorted((a, b) => a.number - b.number)) {
    if (text === '') continue
    const last = runs.at(-1)
    if (last !== undefined && last[0] + last[1].length === number) last[1].push(compileMessage(text))
    else runs.push([number, [compileMessage(text)]])
  }
  return runs
}

/**
 * Replaces the ids in the code of a module by numbers. A template becomes the choice from a table with the numbers of all
 * messages that it names.
 */
function withNumbers(code: string, uses: readonly IdUse[], { numberOf }: TextNumbers): string {
  const tables: string[] = []
  let changed = code
  for (const { start, end, ids, prefix } of uses.toReversed()) {
    const before = changed.slice(0, start)
    if (prefix === null) {
      const number = String(numberOf.get(ids[0] ?? ''))
      // The value of an attribute of JSX stands in braces.
      changed = `${before}${/=\s*$/.test(before) && /^["]/.test(changed.slice(start)) ? `{${number}}` : number}${changed.slice(end)}`
      continue
    }
    const name = `textNumbers${tables.length}`
    tables.push(
      `const ${name} = {${ids.map((id) => `${JSON.stringify(id.slice(prefix.length))}: ${numberOf.get(id)}`).join(', ')}};`,
    )
    changed = `${before}${name}[\`${changed.slice(start + 1 + prefix.length, end)}]${changed.slice(end)}`
  }
  return tables.join('\n') + (tables.length > 0 ? '\n' : '') + changed
}
