import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, realpath, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { namesOf, parsePath } from '../../shared/domain/path.ts'
import { pictureTypeOf, type Shown } from '../http/answer/static-files.ts'
import { iconNames } from './icons.ts'

/** Larger files are not shown: each is held in memory while it is sent. */
const mostBytes = 4 * 1024 * 1024

const styleName = '/custom.css'

/** What the folder holds of what the page names. */
export type Branding = { readonly hasStyle: boolean; readonly icons: readonly string[] }

/**
 * A file of the branding folder by its undecoded address: `custom.css`, or what lies below `img` (contract 13.2, 13.3). Null for
 * everything else, for what leads out of there, and where no folder is named.
 */
export async function findBranded(folder: string, rest: string): Promise<Shown | null> {
  const opened = await openShown(folder, rest)
  if (opened === null) return null
  try {
    const bytes = await readWhole(opened)
    const type = rest === styleName ? 'text/css; charset=utf-8' : pictureTypeOf(rest)
    return { bytes, type, etag: createHash('sha256').update(bytes).digest('base64url') }
  } finally {
    await opened.file.close()
  }
}

/** Which of the files that a page names are in the folder. */
export async function lookAtBranding(folder: string): Promise<Branding> {
  const found = await Promise.all(iconNames.map((name) => isThere(folder, `/img/icons/${name}`)))
  return {
    hasStyle: await isThere(folder, styleName),
    icons: iconNames.filter((_, at) => found[at]),
  }
}

async function isThere(folder: string, rest: string): Promise<boolean> {
  const opened = await openShown(folder, rest)
  await opened?.file.close()
  return opened !== null
}

type Opened = { readonly file: FileHandle; readonly sizeBytes: number }

async function openShown(folder: string, rest: string): Promise<Opened | null> {
  const asked = parsePath(rest)
  if (folder === '' || asked === null || asked.isFolder) return null
  const names = namesOf(asked.path)
  const file = isShown(names) ? await openInside(folder, names) : null
  if (file === null) return null
  const facts = await file.stat()
  if (facts.isFile() && facts.size <= mostBytes) return { file, sizeBytes: facts.size }
  await file.close()
  return null
}

const isShown = (names: readonly string[]): boolean =>
  names.every((name) => !name.startsWith('.')) &&
  (names.length === 1 ? `/${names[0]}` === styleName : names[0] === 'img')

/** Links count where they lead to what is shown as well. A pipe in place of a file is opened without waiting for its other end. */
async function openInside(folder: string, names: readonly string[]): Promise<FileHandle | null> {
  try {
    const base = await realpath(folder)
    const file = await realpath(path.join(base, ...names))
    if (!isShown(path.relative(base, file).split(path.sep))) return null
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (isAbsence(error)) return null
    throw error
  }
}

const absences = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'ENXIO'])

const isAbsence = (error: unknown): boolean =>
  absences.has((error as NodeJS.ErrnoException | null)?.code ?? '')

async function readWhole({ file, sizeBytes }: Opened): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(sizeBytes), 0, sizeBytes, 0)
  return buffer.subarray(0, bytesRead)
}
