import { expect, test } from 'vitest'
import { createConcurrentFlusher } from './concurrent-flusher.ts'
import { fileStatOf } from './file-stat.ts'
import { kernelCallsOf } from './kernel-calls.ts'
import { systemCallNumbers, type KernelFunctions, type LoadedKernel } from './kernel.ts'
import { unpackNames } from './packed-names.ts'

/**
 * The structures of the kernel are written here field by field, as the headers of Linux declare them. They are the same on x64 and
 * arm64: each field is aligned to its own size, and both processors put the lowest byte first.
 */
type Field = readonly [bytes: 1 | 2 | 4 | 8, value: number | bigint]
const u8 = (value: number): Field => [1, value]
const u16 = (value: number): Field => [2, value]
const u32 = (value: number): Field => [4, value]
const u64 = (value: number | bigint): Field => [8, value]

function structure(...fields: readonly Field[]): Buffer {
  const bytes = fields.flatMap(([length, value]) =>
    Array.from({ length }, (_, at) => Number((BigInt(value) >> BigInt(8 * at)) & 0xffn)),
  )
  return Buffer.from(bytes)
}

/** `struct statx_timestamp` of linux/stat.h: seconds, nanoseconds, reserved. */
const timestamp = (seconds: number, nanoseconds: number): readonly Field[] => [
  u64(seconds),
  u32(nanoseconds),
  u32(0xffff_ffff),
]

/** `struct statx` of linux/stat.h, which has 256 bytes. */
const statx = structure(
  u32(0x1fff),
  u32(4096),
  u64(0x1122_3344),
  u32(3),
  u32(1001),
  u32(1002),
  u16(0o100640),
  u16(0xffff),
  u64(0x0123_4567_89ab_cdefn),
  u64(0x1_0000_0005),
  u64(16),
  u64(0),
  ...[
    timestamp(1, 1),
    timestamp(2, 2),
    timestamp(1_700_000_000, 123_456_789),
    timestamp(-2, 500_000_000),
  ].flat(),
  u32(7),
  u32(8),
  u32(0x103),
  u32(0x4_5678),
  u64(0x2_0000_0009),
  u32(0),
  u32(0),
  ...Array.from({ length: 12 }, () => u64(0)),
)

/** `struct linux_dirent64` of linux/dirent.h: inode, offset, length of the record, type and name, padded to 8 bytes. */
function dirent64(ino: bigint, type: number, name: string): Buffer {
  const text = Buffer.from(`${name}\0`)
  const length = Math.ceil((19 + text.length) / 8) * 8
  const fixed = structure(u64(ino), u64(0x7fff_ffff_ffff_ffffn), u16(length), u8(type))
  return Buffer.concat([fixed, text], length)
}

/** A kernel that only has the given functions. It writes into buffers of its own, which it returns. */
function kernelWith(functions: Partial<KernelFunctions>) {
  const [how, stat, dirents] = [new BigUint64Array(3), Buffer.alloc(256), Buffer.alloc(256 * 1024)]
  const loaded: LoadedKernel = {
    kernel: { ioSetup: () => -1, addressOf: () => 0, ...functions } as KernelFunctions,
    number: systemCallNumbers.arm64,
    buffers: {
      how,
      howAt: 1,
      stat: new DataView(stat.buffer, stat.byteOffset, stat.byteLength),
      statAt: 2,
      dirents,
      direntsAt: 3,
      writePath: () => 4,
    },
  }
  return { loaded, how: Buffer.from(how.buffer), stat, dirents }
}

test('the fields of `struct statx` are read', () => {
  expect(statx).toHaveLength(256)
  expect(fileStatOf(new DataView(statx.buffer, statx.byteOffset, statx.length))).toEqual({
    mode: 0o100640,
    links: 3,
    uid: 1001,
    gid: 1002,
    ino: 0x0123_4567_89ab_cdefn,
    sizeBytes: 0x1_0000_0005,
    changedNs: 1_700_000_000_123_456_789n,
    modifiedNs: -1_500_000_000n,
    dev: 0x4561_0378n,
  })
})

test('the columns of a folder and the id of a mount are read from `struct statx`', () => {
  const { loaded, stat } = kernelWith({ statx: () => statx.copy(stat) })
  const calls = kernelCallsOf(loaded)
  const into = {
    modes: new Uint32Array(1),
    sizesBytes: new Float64Array(1),
    modifiedMs: new Float64Array(1),
    linkedFiles: new Uint32Array(1),
  }
  const names = {
    count: 1,
    bytes: Buffer.from('a\0'),
    starts: Uint32Array.of(0, 2),
    kinds: Uint8Array.of(8),
    inos: null,
  }
  calls.statEntries({ folder: 5, names, indices: Uint32Array.of(0) }, into)
  expect(into).toEqual({
    modes: Uint32Array.of(0o100640),
    sizesBytes: Float64Array.of(0x1_0000_0005),
    modifiedMs: Float64Array.of(-1500),
    linkedFiles: Uint32Array.of(1),
  })
  expect(calls.mountId(5)).toBe(String(0x2_0000_0009))
})

test('the records of `struct linux_dirent64` are read', () => {
  const records = [
    dirent64(1n, 4, '.'),
    dirent64(2n, 4, '..'),
    dirent64(0x12_3456_789an, 8, 'a'),
    dirent64(4n, 10, 'a name of 13.'),
    dirent64(5n, 4, 'ä'.repeat(127)),
  ]
  const answers = [Buffer.concat(records), Buffer.alloc(0)]
  const { loaded, dirents } = kernelWith({ getdents64: () => answers.shift()?.copy(dirents) ?? 0 })
  const { bytes, starts, count, kinds, inos } = kernelCallsOf(loaded).readNames(5)
  expect(unpackNames(bytes.subarray(0, starts[count]))).toEqual(['a', 'a name of 13.', 'ä'.repeat(127)])
  expect([...kinds.subarray(0, count)]).toEqual([8, 10, 4])
  expect([...(inos?.subarray(0, count) ?? [])]).toEqual([0x12_3456_789a, 4, 5])
})

test('`struct open_how` is written', () => {
  const calls: { readonly number: number; readonly size: number; readonly written: Buffer }[] = []
  const { loaded, how } = kernelWith({
    openat2(...[number, , , , size]) {
      calls.push({ number, size, written: Buffer.from(how) })
      return 6
    },
  })
  expect(kernelCallsOf(loaded).openFollowing(5, ['a'])).toBe(6)
  // The flags O_PATH and O_CLOEXEC, no mode, and RESOLVE_NO_MAGICLINKS and RESOLVE_BENEATH of linux/openat2.h.
  const written = structure(u64(0o10000000 | 0o2000000), u64(0), u64(0x02 | 0x08))
  expect(calls).toEqual([{ number: 437, size: 24, written }])
})

/** `struct iocb` of linux/aio_abi.h. The operation 2 is IOCB_CMD_FSYNC. */
const iocb = (data: number, file: number) =>
  structure(
    u64(data),
    u32(0),
    u32(0),
    u16(2),
    u16(0),
    u32(file),
    u64(0),
    u64(0),
    u64(0),
    u64(0),
    u32(0),
    u32(0),
  )

/** The address at which the memory of the flusher begins for its kernel. */
const memoryAt = 0x7000_0000_1000

test('`struct iocb` is written, and `struct io_event` is read', () => {
  let memory: Buffer = Buffer.alloc(0)
  const submitted: Buffer[] = []
  const { loaded } = kernelWith({
    addressOf(buffer) {
      memory = buffer
      return memoryAt
    },
    ioSetup(_number, _most, at) {
      memory.writeBigUInt64LE(0xfeed_0000_cafen, at - memoryAt)
      return 0
    },
    ioSubmit(_number, context, count, pointersAt) {
      expect(context).toBe(0xfeed_0000_cafen)
      for (let at = 0; at < count; at += 1) {
        const address = Number(memory.readBigUInt64LE(pointersAt - memoryAt + at * 8))
        submitted.push(Buffer.from(memory.subarray(address - memoryAt, address - memoryAt + 64)))
      }
      return count
    },
    ioGetevents(...[, , , , into]) {
      // `struct io_event` of linux/aio_abi.h: the data of the iocb, its address, and two results. The second file has the error EIO.
      const events = [
        structure(u64(1), u64(memoryAt), u64(-5), u64(0)),
        structure(u64(0), u64(memoryAt), u64(0), u64(-1)),
      ]
      Buffer.concat(events).copy(memory, into - memoryAt)
      return 2
    },
  })
  const outcomes = createConcurrentFlusher(loaded)?.flush([11, 12])
  expect(outcomes).toEqual([null, expect.objectContaining({ code: 'EIO' })])
  expect(submitted).toEqual([iocb(0, 11), iocb(1, 12)])
})

test('the numbers of the system calls on arm64 are those of the generic table (asm-generic/unistd.h)', () => {
  expect(systemCallNumbers.arm64).toEqual({
    ioSetup: 0, // __NR_io_setup
    ioDestroy: 1, // __NR_io_destroy
    ioSubmit: 2, // __NR_io_submit
    ioGetevents: 4, // __NR_io_getevents
    setxattr: 5, // __NR_setxattr
    getxattr: 8, // __NR_getxattr
    listxattr: 11, // __NR_listxattr
    linkat: 37, // __NR_linkat
    getdents64: 61, // __NR_getdents64
    lseek: 62, // __NR3264_lseek
    syncFileRange: 84, // __NR_sync_file_range
    syncfs: 267, // __NR_syncfs
    renameat2: 276, // __NR_renameat2
    copyFileRange: 285, // __NR_copy_file_range
    preadv2: 286, // __NR_preadv2
    statx: 291, // __NR_statx
    openat2: 437, // __NR_openat2
  })
})
