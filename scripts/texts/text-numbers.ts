import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { textParts, type TextPart } from '../../src/client/i18n/text-part.ts'
import { readCatalogue } from './catalogue.ts'
import { readModule, type ModuleImport } from './id-uses.ts'

const client = path.resolve(import.meta.dirname, '../../src/client')

/**
 * The modules at which the parts of the catalogue begin. A text belongs to the part of each module that uses it, and a
 * module belongs to the first part whose modules import it statically. Texts of the part `first` are in no other part.
 */
const entriesOfParts: readonly (readonly [part: TextPart, entries: readonly string[]])[] = [
  [
    'first',
    ['main.tsx', 'app/frame.tsx', 'features/files/files-screen.tsx', 'features/login/login-screen.tsx'],
  ],
  ['guest', ['app/start-share.tsx']],
  ['drop', ['features/share-page/drop/drop-card.tsx']],
]

/** Folders whose modules belong to a part, unless an earlier part has them. */
const foldersOfParts: readonly (readonly [part: TextPart, folder: string])[] = [
  ['settings', 'features/settings/'],
]

/** Where the texts of the client stand: the number of each message, and the numbers of the messages of each part. */
export type TextNumbers = {
  readonly numberOf: ReadonlyMap<string, number>
  readonly idsOf: Readonly<Record<TextPart, readonly string[]>>
}

type ClientModule = { readonly ids: ReadonlySet<string>; readonly imports: readonly ModuleImport[] }

/**
 * Divides the messages of the catalogue into parts by the modules that use them, and numbers them so that the numbers of a
 * part are consecutive, but for texts that several parts have.
 */
export function numberTexts(): TextNumbers {
  const ids = new Set(readCatalogue('en').map(({ id }) => id))
  const modules = readClient(ids)
  const partOf = partsOfModules(modules)
  const partsOf = new Map<string, Set<TextPart>>(Array.from(ids, (id) => [id, new Set()]))
  for (const [file, module] of modules)
    for (const id of module.ids) partsOf.get(id)?.add(partOf.get(file) ?? 'later')
  const isIn = (id: string, part: TextPart): boolean => {
    const parts = partsOf.get(id)
    return part === 'first' || !parts?.has('first') ? (parts?.has(part) ?? false) : false
  }
  const idsOf = Object.fromEntries(
    textParts.map((part) => [part, [...ids].filter((id) => isIn(id, part))]),
  ) as Record<TextPart, string[]>
  const ordered = new Set(textParts.flatMap((part) => idsOf[part]))
  return { numberOf: new Map(Array.from(ordered, (id, number) => [id, number])), idsOf }
}

/** Reads all modules of the client, by their paths below `src/client`. */
function readClient(ids: ReadonlySet<string>): ReadonlyMap<string, ClientModule> {
  const files = readdirSync(client, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter(
      (file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$/.test(file) && file !== 'i18n/message-values.ts',
    )
    .sort()
  return new Map(
    files.map((file) => {
      const { uses, imports } = readModule(file, readFileSync(path.join(client, file), 'utf8'), ids)
      return [file, { ids: new Set(uses.flatMap((use) => use.ids)), imports }]
    }),
  )
}

const staticImportsOf = (file: string, modules: ReadonlyMap<string, ClientModule>): readonly string[] =>
  (modules.get(file)?.imports ?? [])
    .filter(({ isLate }) => !isLate)
    .map(({ from }) => path.posix.join(path.posix.dirname(file), from))
    .filter((target) => modules.has(target))

function partsOfModules(modules: ReadonlyMap<string, ClientModule>): ReadonlyMap<string, TextPart> {
  const parts = new Map<string, TextPart>()
  for (const [part, entries] of entriesOfParts) {
    for (const entry of entries)
      if (!modules.has(entry)) throw new Error(`scripts/texts names ${entry}, which does not exist.`)
    const reached = new Set(entries)
    // A set yields the values that are added while it is read.
    for (const file of reached) {
      if (!parts.has(file)) parts.set(file, part)
      for (const target of staticImportsOf(file, modules)) reached.add(target)
    }
  }
  for (const [part, folder] of foldersOfParts)
    for (const file of modules.keys()) if (file.startsWith(folder) && !parts.has(file)) parts.set(file, part)
  return parts
}
