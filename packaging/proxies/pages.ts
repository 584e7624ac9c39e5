import { readFileSync } from 'node:fs'
import path from 'node:path'

/** The sections of each page in docs/proxies, in their order. */
export const sectionTitles = [
  'At the root',
  'Below a path',
  'With a certificate',
  'On a unix socket',
  'To Stowage over TLS',
  'With forward authentication',
] as const

export type SectionTitle = (typeof sectionTitles)[number]

/** A section of a page: the lines for the proxy, and the commands that start Stowage for them. */
export type Section = {
  readonly title: string
  /** The content of the configuration file. Null where the proxy cannot do this. */
  readonly configuration: string | null
  /** The lines of the shell. The last one starts the server. */
  readonly commands: readonly string[]
}

const folder = path.resolve(import.meta.dirname, '../../docs/proxies')

/** Returns the sections of a page, by its name without `.md`. `language` is the word after the fence of its configurations. */
export function readPage(name: string, language: string): readonly Section[] {
  const [, ...sections] = readFileSync(path.join(folder, `${name}.md`), 'utf8').split(/^## /m)
  return sections.map((text) => ({
    title: text.slice(0, text.indexOf('\n')),
    configuration: blocksOf(text, language)[0] ?? null,
    commands: blocksOf(text, 'sh')
      .flatMap((block) => block.split('\n'))
      .filter((line) => line !== ''),
  }))
}

/** Returns the commands in a section of the page that is about all proxies. */
export function commandsOf(title: string): readonly string[] {
  const found = readPage('README', 'sh').find((section) => section.title === title)
  if (found === undefined) throw new Error(`docs/proxies/README.md has no section "${title}"`)
  return found.commands
}

const blocksOf = (text: string, language: string): readonly string[] =>
  [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, word]) => word === language)
    .map(([, , content = '']) => content)
