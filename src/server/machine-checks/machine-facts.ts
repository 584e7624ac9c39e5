import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { memoryLimitBytes } from '../config/memory-budget.ts'
import { findServedFiles, type ServedFile } from '../config/served-state.ts'
import { findProgram } from '../programs/find-program.ts'
import { sideFileSuffixes } from '../records/file/database-file.ts'
import type { DatabaseFacts } from '../records/file/database-facts.ts'
import { pathFacts, type PathFacts } from './path-facts.ts'

/** Everything that the checks of the machine judge. */
export type MachineFacts = {
  readonly nowMs: number
  /** The user of this process. Null on systems without numbers of users. */
  readonly uid: number | null
  readonly root: PathFacts
  /** The files of the state that exist, the database first. Empty for a database on a server. */
  readonly stateFiles: readonly PathFacts[]
  /** The folder of the state. Null for a database on a server. */
  readonly stateFolder: PathFacts | null
  readonly database: DatabaseFacts
  /** The path of the database, or its address without a password. */
  readonly databaseName: string
  readonly memoryBytes: number
  /** The number of files that this process may have open. */
  readonly openFiles: number
  /** The names of the programs that the server uses and that are not installed. */
  readonly missingPrograms: readonly string[]
  /** The server's own files that appear in the served folder as other files. */
  readonly servedFiles: readonly ServedFile[]
}

/** The places and values from which the facts are read. */
export type MachineFactsOptions = {
  readonly nowMs: number
  readonly root: string
  /** The database file. Null for a database on a server. */
  readonly databaseFile: string | null
  readonly database: DatabaseFacts
  readonly databaseName: string
  /** Other files of the server than the database, which nobody may see in the served folder. */
  readonly secretFiles?: readonly string[]
  /** Returns the path of a program, or null. */
  readonly find?: (name: string) => Promise<string | null>
}

/** The programs that the server uses where they are installed. Each row has names of which one is enough. */
const programs = [['bwrap'], ['prlimit'], ['ffmpeg'], ['pdftoppm'], ['heif-dec', 'heif-convert']] as const

/** Reads the facts about the machine. Nothing is changed. */
export async function machineFacts({
  nowMs,
  root,
  databaseFile,
  database,
  databaseName,
  secretFiles = [],
  find = findProgram,
}: MachineFactsOptions): Promise<MachineFacts> {
  const files = databaseFile === null ? [] : ['', ...sideFileSuffixes].map((suffix) => databaseFile + suffix)
  return {
    nowMs,
    uid: process.getuid?.() ?? null,
    root: pathFacts(root),
    stateFiles: files.map(pathFacts).filter(({ kind }) => kind !== 'missing'),
    stateFolder: databaseFile === null ? null : pathFacts(dirname(databaseFile)),
    database,
    databaseName,
    memoryBytes: memoryLimitBytes(),
    openFiles: openFilesLimit(),
    missingPrograms: await missingPrograms(find),
    servedFiles: servedFilesIn(root, [...files, ...secretFiles]),
  }
}

/** Returns the server's own files that appear in the served folder. Empty when that folder does not exist or cannot be entered. */
function servedFilesIn(root: string, files: readonly string[]): readonly ServedFile[] {
  try {
    return findServedFiles(root, files)
  } catch {
    return []
  }
}

async function missingPrograms(find: (name: string) => Promise<string | null>): Promise<readonly string[]> {
  const found = await Promise.all(programs.map((names) => Promise.all(names.map(find))))
  return programs.flatMap((names, at) =>
    found[at]?.every((path) => path === null) ? [names[names.length - 1] ?? ''] : [],
  )
}

/** Returns how many files this process may have open. Infinite where the system does not tell it. */
function openFilesLimit(): number {
  try {
    return openFilesIn(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/**
 * Returns the hard limit of open files in the text of `/proc/<pid>/limits`. The server raises its soft limit to the hard one,
 * as Node does at each start.
 */
export function openFilesIn(limits: string): number {
  const [, hard] = /^Max open files\s+\S+\s+(\d+)/m.exec(limits) ?? []
  return hard === undefined ? Number.POSITIVE_INFINITY : Number(hard)
}
