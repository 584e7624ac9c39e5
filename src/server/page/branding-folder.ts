import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, realpath, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { namesOf, parsePath } from '../../shared/domain/path.ts'
import { pictureTypeOf, type StaticFile } from '../http/response/static-files.ts'
import { iconNames } from './icons.ts'

/** The maximum size of a branding file: 4 MiB. The size is limited because each file is in memory while it is sent. */
const maxFileBytes = 4 * 1024 * 1024

const styleName = '/custom.css'

/** The files of the branding folder that the page refers to. */
export type BrandingFiles = { readonly hasStyle: boolean; readonly icons: readonly string[] }

/**
 * Reads a file of the branding folder by its percent-encoded path `rest`: `/custom.css`, or a file below `/img`
 * (contract 13.2, 13.3). Returns null for any other path, for a link to other files, for a hidden, unreadable or too large
 * file, and when no branding folder is configured (`folder` is empty).
 */
export async function readBrandingFile(folder: string, rest: string): Promise<StaticFile | null> {
  const brandingFile = await openServable(folder, rest)
  if (brandingFile === null) return null
  try {
    const bytes = await readWhole(brandingFile)
    const type =
      brandingFile.path === styleName ? 'text/css; charset=utf-8' : pictureTypeOf(brandingFile.path)
    return { bytes, type, etag: createHash('sha256').update(bytes).digest('base64url') }
  } finally {
    await brandingFile.file.close()
  }
}

/** Finds the files of the branding folder that the page refers to. */
export async function findBrandingFiles(folder: string): Promise<BrandingFiles> {
  const isPresent = await Promise.all(iconNames.map((name) => hasServableFile(folder, `/img/icons/${name}`)))
  return {
    hasStyle: await hasServableFile(folder, styleName),
    icons: iconNames.filter((_, index) => isPresent[index]),
  }
}

async function hasServableFile(folder: string, rest: string): Promise<boolean> {
  const brandingFile = await openServable(folder, rest)
  await brandingFile?.file.close()
  return brandingFile !== null
}

/** An open file of the branding folder, with its decoded path below the folder. */
type OpenBrandingFile = { readonly file: FileHandle; readonly path: string; readonly sizeBytes: number }

async function openServable(folder: string, rest: string): Promise<OpenBrandingFile | null> {
  const parsed = parsePath(rest)
  if (folder === '' || parsed === null || parsed.isFolder) return null
  const names = namesOf(parsed.path)
  const file = isServable(names) ? await openInside(folder, names) : null
  if (file === null) return null
  const stats = await file.stat()
  if (stats.isFile() && stats.size <= maxFileBytes) return { file, path: parsed.path, sizeBytes: stats.size }
  await file.close()
  return null
}

const isServable = (names: readonly string[]): boolean =>
  names.every((name) => !name.startsWith('.')) &&
  (names.length === 1 ? `/${names[0]}` === styleName : names[0] === 'img')

/**
 * Opens a file of the folder. A link is only followed when its target is another file that may be served. A named pipe
 * is opened without waiting for its writer.
 */
async function openInside(folder: string, names: readonly string[]): Promise<FileHandle | null> {
  try {
    const base = await realpath(folder)
    const file = await realpath(path.join(base, ...names))
    if (!isServable(path.relative(base, file).split(path.sep))) return null
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (isAbsence(error)) return null
    throw error
  }
}

const absenceCodes = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'ENXIO'])

const isAbsence = (error: unknown): boolean =>
  absenceCodes.has((error as NodeJS.ErrnoException | null)?.code ?? '')

async function readWhole({ file, sizeBytes }: OpenBrandingFile): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(sizeBytes), 0, sizeBytes, 0)
  return buffer.subarray(0, bytesRead)
}
