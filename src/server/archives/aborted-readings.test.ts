import { expect, onTestFinished, test } from 'vitest'
import { endOfTar, paxHeader, tarMembers } from '../../../test/kit/tar.ts'
import { nameOfBytes } from '../../shared/domain/name-bytes.ts'
import { pathOf, type Path } from '../../shared/domain/path.ts'
import { createByteBudget } from '../concurrency/byte-budget.ts'
import { createKeyedLimiter } from '../concurrency/keyed-limiter.ts'
import type { Storage } from '../storage/port.ts'
import { createArchives } from './archives.ts'

const mib = 1024 * 1024

/** Opens an archive that exists as chunks only, so that the test sees which of them are read. */
async function openArchiveOf(
  { name, sizeBytes }: { readonly name: string; readonly sizeBytes: number },
  chunks: (leave: AbortController) => Iterable<Uint8Array>,
) {
  const leave = new AbortController()
  const archives = createArchives({
    limiter: createKeyedLimiter({ maxConcurrent: 1 }),
    memory: createByteBudget({ totalBytes: mib, bytesPerKey: mib }),
  })
  onTestFinished(() => archives.close())
  const storage = {
    open: async () => ({
      entry: { name, kind: 'file', sizeBytes, modifiedMs: 0, mode: 0o100_644, etag: 'e' },
      async *bytes({ end }: { readonly end: number }) {
        let position = 0
        for (const chunk of chunks(leave)) {
          yield chunk
          position += chunk.length
          if (position >= end) return
        }
      },
      close: async () => {},
    }),
  } as unknown as Storage
  const path = pathOf(`/${name}`) as Path
  const archive = await archives.openArchive({ storage, path, principal: 'ann', signal: leave.signal })
  return { members: archive.members(nameOfBytes), leave }
}

/** The start of a tar file that claims a label with 10 GB, which is not a member. */
const largeLabel = tarMembers({ name: 'label', type: 'V', claimedBytes: 10_000 * mib })

test('a tar file without members is not read any further after an abort', async () => {
  let count = 0
  const { members } = await openArchiveOf({ name: 'zeros.tar', sizeBytes: 10_000 * mib }, function* (leave) {
    yield largeLabel
    const zeros = Buffer.alloc(mib)
    for (count = 0; count < 10_000; count += 1) {
      if (count === 3) leave.abort()
      yield zeros
    }
  })
  await expect(members.next()).rejects.toMatchObject({ code: 'aborted' })
  expect(count).toBe(3)
})

/** Returns the head of a block of zstd. */
function zstdBlock(type: 'raw' | 'repeated', sizeBytes: number): Buffer {
  const block = Buffer.alloc(3)
  block.writeUIntLE((sizeBytes << 3) | (type === 'raw' ? 0 : 2), 0, 3)
  return block
}

test('the decompression of a tar file without members ends with an abort', async () => {
  const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3])
  const label = Buffer.concat([frame, zstdBlock('raw', largeLabel.length), largeLabel])
  const zeros = Buffer.concat([zstdBlock('repeated', 128 * 1024), Buffer.alloc(1)])
  // One chunk becomes 10 GB. Without a look at the signal, the reading ends at the limit of decompressed bytes.
  const whole = Buffer.concat([label, ...Array.from({ length: 80_000 }, () => zeros)])
  let reads = 0
  const { members } = await openArchiveOf(
    { name: 'zeros.tar.zst', sizeBytes: whole.length },
    function* (leave) {
      reads += 1
      // The first reading is that of the first bytes, which tell the format.
      if (reads === 2) leave.abort()
      yield whole
    },
  )
  await expect(members.next()).rejects.toMatchObject({ code: 'aborted' })
})

const skip = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const chunk of chunks) void chunk
}

test('the bytes of a file that is one hole let other work have its turn, and end with an abort', async () => {
  const sparse = tarMembers(paxHeader(['GNU.sparse.size', String(1000 * mib)]), { name: 'hole' })
  const whole = Buffer.concat([sparse, endOfTar])
  const { members, leave } = await openArchiveOf({ name: 'hole.tar', sizeBytes: whole.length }, () => [whole])
  const { value } = await members.next()
  if (!value?.bytes) throw new Error('the archive has no file')
  setImmediate(() => leave.abort())
  await expect(skip(value.bytes())).rejects.toMatchObject({ code: 'aborted' })
})
