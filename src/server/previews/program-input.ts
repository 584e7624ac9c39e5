import { mkdir, mkdtemp, open, rm, unlink } from 'node:fs/promises'
import path from 'node:path'
import type { OpenFile } from '../storage/port.ts'

/**
 * Runs work with the descriptor of a file for another program. The bytes of a small file, of which no handle is open,
 * are written to a temporary file in `folder`; it has no name while the program reads it.
 */
export async function withDescriptor<T>(
  file: OpenFile,
  folder: string,
  work: (descriptor: number) => Promise<T>,
): Promise<T> {
  if (file.localDisk !== undefined) return work(file.localDisk.descriptor)
  return withScratchFolder(folder, async (scratch) => {
    const name = path.join(scratch, 'input')
    const handle = await open(name, 'wx+', 0o600)
    try {
      await unlink(name)
      let position = 0
      const { sizeBytes } = file.entry.target ?? file.entry
      for await (const chunk of file.bytes({ start: 0, end: sizeBytes })) {
        await handle.write(chunk, 0, chunk.length, position)
        position += chunk.length
      }
      return await work(handle.fd)
    } finally {
      await handle.close()
    }
  })
}

/** Runs work with an empty folder that only this process may read. The folder is removed afterwards. */
export async function withScratchFolder<T>(
  folder: string,
  work: (scratch: string) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const scratch = await mkdtemp(path.join(folder, 'scratch-'))
  try {
    return await work(scratch)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
