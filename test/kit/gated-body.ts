import { onTestFinished } from 'vitest'
import type { IncomingBody } from '../../src/server/storage/change.ts'
import type { Volume } from '../../src/server/storage/port.ts'
import { createPosixVolume } from '../../src/server/storage/posix/volume.ts'
import { sharedStorageThreads } from './shared-threads.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { makeTree, type FileTree } from './tree.ts'

/** Creates a volume in a temporary folder with the given files. It is closed at the end of the test. */
export async function volumeWith(tree: FileTree): Promise<{ disk: string; volume: Volume }> {
  const disk = temporaryFolder()
  await makeTree(disk, tree)
  const volume = createPosixVolume({ root: disk, pool: sharedStorageThreads() })
  onTestFinished(() => volume.close())
  return { disk, volume }
}

/** Returns the texts as the body of a file. */
export async function* bodyOf(...chunks: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

/** Returns a body that reports when its first bytes are requested, and then waits until `open` is called. */
export function gatedBody(text: string): { body: IncomingBody; requested: Promise<void>; open: () => void } {
  const [requested, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const body = (async function* () {
    requested.resolve()
    await gate.promise
    yield Buffer.from(text)
  })()
  return { body, requested: requested.promise, open: gate.resolve }
}
