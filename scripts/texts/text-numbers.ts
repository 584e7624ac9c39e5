import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { textParts, type TextPart } from '../../src/client/i18n/text-part.ts'
import { readCatalogue } from './catalogue.ts'
import { readModule, type ModuleImport } from './id-uses.ts'

const src = path.resolve(import.meta.dirname, '../../src')

type PartModules = {
  readonly part: TextPart
  /** The modules at which the part begins. All modules that they import belong to it. */
  readonly entries: readonly string[]
  /** The parts that are loaded before, and whose texts this part does not have. They stand above it in the list. */
  readonly after: readonly TextPart[]
  /** Returns true for a module whose dynamic import is followed. Static imports always are. */
  readonly follows: (file: string, module: ClientModule) => boolean
}

/**
 * Returns true for a file, named from `src`, that may contain ids of messages: a module of the client, or a table of fields of
 * the contract.
 */
export const namesMessages = (file: string): boolean =>
  (/^client\/.*\.tsx?$/.test(file) && file !== 'client/i18n/message-values.ts') ||
  /^shared\/contract\/(fields\/)?(setting|branding|user)-fields\.ts$/.test(file)

const shareEntry = 'app/start-share.tsx'
const sharedFileEntry = 'features/share-page/open-file/shared-file.tsx'
const settingsEntry = 'app/settings/settings-screen.tsx'
const shellEntry = 'features/shell/shell.tsx'
/** The page that the settings load when it is opened. */
const doctorEntry = 'features/settings/doctor/doctor-page.tsx'

/**
 * The modules of each part of the catalogue. A text belongs to all parts whose modules use it, except
 * where it is loaded already.
 */
const modulesOfParts: readonly PartModules[] = [
  {
    part: 'first',
    entries: [
      'main.tsx',
      'app/frame.tsx',
      'features/files/files-screen.tsx',
      'features/login/login-screen.tsx',
    ],
    after: [],
    follows: () => false,
  },
  {
    part: 'drop',
    entries: ['features/share-page/drop/drop-card.tsx'],
    after: ['first'],
    follows: () => false,
  },
  // Code of the page of a share that loads another part itself has its texts there.
  { part: 'guest', entries: [shareEntry], after: ['first'], follows: (_, module) => !loadsTexts(module) },
  { part: 'viewer', entries: [sharedFileEntry], after: ['first', 'guest'], follows: () => true },
  {
    part: 'later',
    entries: ['main.tsx'],
    after: ['first'],
    follows: (file) => file !== shareEntry && file !== settingsEntry && file !== shellEntry,
  },
  {
    part: 'settings',
    entries: [settingsEntry, doctorEntry],
    after: ['first', 'later'],
    follows: () => false,
  },
  { part: 'shell', entries: [shellEntry], after: ['first', 'later'], follows: () => false },
]

const loadsTexts = ({ imports }: ClientModule): boolean =>
  imports.some(({ from }) => /\/i18n\/\w+-texts\.ts$/.test(from))

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
  const modules = readModules(ids)
  const idsOf: Record<TextPart, string[]> = {
    first: [],
    guest: [],
    viewer: [],
    drop: [],
    settings: [],
    shell: [],
    later: [],
  }
  for (const part of modulesOfParts) {
    const used = textsOf(part, modules)
    const loaded = new Set(part.after.flatMap((earlier) => idsOf[earlier]))
    idsOf[part.part] = [...ids].filter((id) => used.has(id) && !loaded.has(id))
  }
  const ordered = new Set(textParts.flatMap((part) => idsOf[part]))
  return { numberOf: new Map(Array.from(ordered, (id, number) => [id, number])), idsOf }
}

/** Returns the ids of the messages that the modules of a part use. */
function textsOf({ entries, follows }: PartModules, modules: ReadonlyMap<string, ClientModule>): Set<string> {
  for (const entry of entries)
    if (!modules.has(entry)) throw new Error(`scripts/texts names ${entry}, which does not exist.`)
  const reached = new Set(entries)
  // A set yields the values that are added while it is read.
  for (const file of reached) {
    for (const { from, isLate } of modules.get(file)?.imports ?? []) {
      const target = path.posix.join(path.posix.dirname(file), from)
      const module = modules.get(target)
      if (module !== undefined && (!isLate || follows(target, module))) reached.add(target)
    }
  }
  return new Set([...reached].flatMap((file) => [...(modules.get(file)?.ids ?? [])]))
}

/** Reads all modules that name messages, by their paths from `src/client`. */
function readModules(ids: ReadonlySet<string>): ReadonlyMap<string, ClientModule> {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => namesMessages(file) && !/\.(test|d)\.tsx?$/.test(file))
    .sort()
  return new Map(
    files.map((file) => {
      const { uses, imports } = readModule(file, readFileSync(path.join(src, file), 'utf8'), ids)
      return [path.posix.relative('client', file), { ids: new Set(uses.flatMap((use) => use.ids)), imports }]
    }),
  )
}
