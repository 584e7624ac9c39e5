import { resolve } from 'node:path'
import { pathOf, type Path } from '../../../shared/domain/path.ts'
import { valueOf } from '../../config/arguments.ts'
import { text, type OptionKind } from '../../config/option-kinds.ts'
import { option } from '../../config/option.ts'
import { createRecordReader } from '../../exchange/record-reader.ts'
import { copyOriginalFile } from '../../takeover/original/original-file.ts'
import { createFolderMapper } from '../../takeover/quantum/folder-mapper.ts'
import { planQuantum } from '../../takeover/quantum/plan-quantum.ts'
import {
  requireSources,
  sourcePathOf,
  sourcesOf,
  type QuantumSource,
} from '../../takeover/quantum/quantum-sources.ts'
import { readQuantum } from '../../takeover/quantum/read-quantum.ts'
import { openServedFolder } from '../../takeover/take-over.ts'
import { readExchangeFile } from '../exchange/exchange-file.ts'
import type { CliVerb, VerbCall } from '../verb/verb.ts'
import { dryRun, runImport } from './import-target.ts'
import { sizeOfImportedFile } from './imported-file.ts'

/** Pairs of a source's path and the folder that shows the source in Stowage, separated by commas. */
const folderPairs: OptionKind<ReadonlyMap<string, Path>> = {
  name: 'text',
  expects: 'pairs such as /srv/files=/,/srv/media=/media',
  parse(written) {
    const pairs = written
      .split(',')
      .filter((pair) => pair.trim() !== '')
      .map((pair) => {
        const at = pair.lastIndexOf('=')
        const folder = pair.slice(at + 1).trim()
        const isPair = at > 0 && folder.startsWith('/')
        return [sourcePathOf(pair.slice(0, at).trim()), isPair ? pathOf(folder) : null] as const
      })
    const valid = pairs.flatMap(([source, folder]) => (folder === null ? [] : [[source, folder] as const]))
    return valid.length === pairs.length ? new Map(valid) : undefined
  },
}

const sourceFolders = option<ReadonlyMap<string, Path>>({
  name: 'sources',
  kind: folderPairs,
  default: new Map(),
  meaning:
    'Where the sources are below the served folder, such as `/srv/files=/,/srv/media=/media`. Other sources are found by their paths on this machine.',
})

const quantumConfig = option({
  name: 'quantumConfig',
  kind: text,
  default: '',
  meaning:
    'The configuration file of FileBrowser Quantum. Its database holds only the sources of the first start.',
})

/** Adds the users and shares of a database of FileBrowser Quantum (decision 80). */
export const quantumImport: CliVerb = {
  name: 'import quantum',
  parameters: ['DATABASE'],
  meaning: 'Adds the users and shares of a database of FileBrowser Quantum; creates a missing database.',
  options: [dryRun, sourceFolders, quantumConfig],
  worksOn: 'nothing',
  run: importQuantum,
}

async function importQuantum(call: VerbCall): Promise<void> {
  const { io, words, flags } = call
  const [name = ''] = words
  const folders = valueOf(sourceFolders, flags.get(sourceFolders.name) ?? '', '--sources')
  const file = resolve(io.cwd, name)
  await sizeOfImportedFile(file, name)
  const state = readQuantum(copyOriginalFile(file), name)
  const configured = await configuredSources(call)
  const sources = requireSources(configured ?? state.sources)
  await runImport(call, name, async ({ config, users: existing, shareHashes }) => {
    const folder = openServedFolder(config.root, config)
    return planQuantum(state, {
      sources,
      areSourcesCurrent: configured !== null,
      folder,
      mapFolder: createFolderMapper(folder.root, folders),
      existing,
      takenHashes: shareHashes,
      atMs: io.nowMs(),
    })
  })
}

/** Returns the sources of the configuration file; null when the command line names none. */
async function configuredSources({ io, flags }: VerbCall): Promise<readonly QuantumSource[] | null> {
  const name = flags.get(quantumConfig.name) ?? ''
  if (name === '') return null
  return sourcesOf(createRecordReader(await readExchangeFile(io.cwd, name), name).members('server'))
}
