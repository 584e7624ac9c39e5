import { realpathSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { isDatabaseAddress } from '../../shared/domain/database-address.ts'
import { ownFilesBase } from './database-place.ts'
import { previewFolderOf } from './preview-folder.ts'
import type { Config } from './serving-options.ts'

/** A file or folder, whatever its name. */
export type Identity = { readonly dev: bigint; readonly ino: bigint }

/** The server's own files: those that are there, and names beside the database and the log that are theirs, there or not. */
export type OwnFiles = {
  readonly files: readonly Identity[]
  readonly prefixes: readonly (Identity & { readonly prefix: string })[]
  /** Real paths of the folders that they lie in. */
  readonly folders: readonly string[]
}

/** How old an answer may be: certificates are renewed and logs put aside while the server runs. */
const freshMs = 1000

/** What must not be served wherever it lies, looked up anew when the last look is too old. */
export function ownFilesOf(config: Config, nowMs: () => number): () => OwnFiles {
  const log = ['', 'stdout', 'stderr'].includes(config.log) ? [] : [config.log]
  const cache = config.cacheDir === '' ? [] : [previewFolderOf(config)]
  const database = isDatabaseAddress(config.database) ? [] : [config.database]
  const named = [...new Set([...database, ownFilesBase(config)]), ...cache, ...log]
  const beside = database.flatMap((file) => [`${file}-wal`, `${file}-shm`])
  const files = [...named, ...beside, config.configFile, config.key]
  const look = (): OwnFiles => ({
    files: files.flatMap((file) => identityOf(file) ?? []),
    prefixes: named.flatMap((file) => {
      const folder = identityOf(dirname(file))
      return folder === null ? [] : [{ ...folder, prefix: basename(file) }]
    }),
    folders: [...new Set([...files.flatMap(realFolderOf), ...named.flatMap(realFolderToBe)])],
  })
  let known = look()
  let lookedAtMs = nowMs()
  return () => {
    // A folder that is still to be made may be there by now, and what lies in it is ours at once.
    const isWhole = known.prefixes.length === named.length
    if (!isWhole || nowMs() - lookedAtMs > freshMs) {
      known = look()
      lookedAtMs = nowMs()
    }
    return known
  }
}

function identityOf(file: string): Identity | null {
  if (file === '') return null
  const facts = statSync(file, { bigint: true, throwIfNoEntry: false })
  return facts === undefined ? null : { dev: facts.dev, ino: facts.ino }
}

/** Where a file that is there really lies: it may be named through links. */
function realFolderOf(file: string): string[] {
  return identityOf(file) === null ? [] : [dirname(realpathSync(file))]
}

/** Where a file of ours lies as soon as it is there. */
function realFolderToBe(file: string): string[] {
  const folder = dirname(file)
  return identityOf(folder) === null ? [] : [realpathSync(folder)]
}
