import { closeOnExec, loadSpawnFunctions, systemError, type SpawnFunctions } from './kernel.ts'

/** A program to start. */
export type SpawnedProgram = {
  /** The path of the program. */
  readonly path: string
  /** The arguments, of which the first one is the name of the program. */
  readonly args: readonly string[]
  /** The environment: texts of the form `NAME=value`. */
  readonly env: readonly string[]
  /** The working directory. Undefined for that of the server. */
  readonly cwd: string | undefined
  /** The descriptors of the server that the program gets as 0, 1, 2 and so on. Null for the empty device. */
  readonly descriptors: readonly (number | null)[]
}

/** The way in which a process ended. `signal` is the number of the signal that ended the process; 0 for none. */
export type SpawnExit = { readonly status: number; readonly signal: number }

/**
 * Starts processes without copying the page tables of the server, as `fork` does. The calling thread waits until the program
 * is loaded: 0.3 ms, and as long as that when the server has 700 MB of memory, for which `fork` needs 30 ms.
 */
export type SpawnCalls = {
  /** Returns two connected sockets, which programs do not inherit. */
  createSocketPair(): readonly [number, number]
  /** Starts a program in a session of its own, with the default reactions to all signals. Returns its process id. */
  start(program: SpawnedProgram): number
  /** Returns how a process that was started ended, and forgets it; null while it runs. */
  takeExit(pid: number): SpawnExit | null
}

/** Sizes in bytes of structures of the C library, rounded up: 80 and 336 in glibc, and less in musl. */
const [actionsBytes, attributesBytes, signalSetBytes] = [512, 1024, 128]

/** Flags of posix_spawnattr_setflags(3): default signals, no blocked signals, and a session of its own. */
const spawnFlags = 0x04 | 0x08 | 0x80
const readAndWrite = 2
const [unixDomain, streamType] = [1, 1]
const doNotHang = 1

/** Loads the calls. Returns null where they are missing. */
export async function loadSpawnCalls(): Promise<SpawnCalls | null> {
  const functions = await loadSpawnFunctions()
  if (functions === null) return null
  const { addressOf } = functions
  const [integers, signals] = [Buffer.alloc(8), Buffer.alloc(2 * signalSetBytes)]
  signals.fill(0xff, 0, signalSetBytes)
  const attributes = Buffer.alloc(attributesBytes)
  const attributesAt = addressOf(attributes)
  functions.initAttributes(attributesAt)
  functions.setFlags(attributesAt, spawnFlags)
  functions.setDefaultSignals(attributesAt, addressOf(signals))
  functions.setBlockedSignals(attributesAt, addressOf(signals) + signalSetBytes)
  /** The memory that the C library reads by its address, which must not be garbage-collected meanwhile. */
  const inUse: unknown[] = [attributes]
  return {
    createSocketPair() {
      const type = streamType | closeOnExec
      if (functions.socketPair(unixDomain, type, 0, addressOf(integers)) !== 0)
        throw systemError(functions.errno())
      return [integers.readInt32LE(0), integers.readInt32LE(4)]
    },
    start({ path, args, env, ...rest }) {
      const actions = Buffer.alloc(actionsBytes)
      const [pathText, argTexts, envTexts] = [Buffer.from(`${path}\0`), textTable(args), textTable(env)]
      inUse.push(actions, pathText, argTexts, envTexts)
      try {
        fillActions(functions, addressOf(actions), rest)
        const failure = functions.spawn(
          addressOf(integers),
          addressOf(pathText),
          addressOf(actions),
          attributesAt,
          pointersTo(addressOf, argTexts),
          pointersTo(addressOf, envTexts),
        )
        requireSuccess(failure)
        return integers.readInt32LE(0)
      } finally {
        functions.destroyActions(addressOf(actions))
        inUse.length = 1
      }
    },
    takeExit(pid) {
      if (functions.wait(pid, addressOf(integers), doNotHang) !== pid) return null
      const status = integers.readInt32LE(0)
      return { status: (status >> 8) & 0xff, signal: status & 0x7f }
    },
  }
}

/**
 * Describes the descriptors and the working directory of a program. The descriptors are first copied to other numbers,
 * because a descriptor of the server may have a number that another one gets in the program.
 */
function fillActions(
  functions: SpawnFunctions,
  actionsAt: number,
  { descriptors, cwd }: Pick<SpawnedProgram, 'descriptors' | 'cwd'>,
): void {
  const spare = spareNumbers(descriptors)
  requireSuccess(functions.initActions(actionsAt))
  for (const [index, descriptor] of descriptors.entries())
    if (descriptor !== null) requireSuccess(functions.addDuplicate(actionsAt, descriptor, spare[index]!))
  for (const [index, descriptor] of descriptors.entries()) {
    if (descriptor === null) requireSuccess(functions.addOpen(actionsAt, index, '/dev/null', readAndWrite, 0))
    else {
      requireSuccess(functions.addDuplicate(actionsAt, spare[index]!, index))
      requireSuccess(functions.addClose(actionsAt, spare[index]!))
    }
  }
  if (cwd !== undefined) requireSuccess(functions.addFolder(actionsAt, cwd))
}

/**
 * Returns a number for each descriptor that neither the program nor one of these descriptors has. The numbers are low, because
 * the C library refuses those above the limit of the process.
 */
function spareNumbers(descriptors: readonly (number | null)[]): readonly number[] {
  const candidates = Array.from({ length: 2 * descriptors.length }, (_, index) => descriptors.length + index)
  return candidates.filter((number) => !descriptors.includes(number))
}

/** Throws the error that a function of the C library has returned. */
function requireSuccess(failure: number): void {
  if (failure !== 0) throw systemError(failure)
}

/** Texts that end with NUL, and the table of their addresses that C functions expect. */
type TextTable = { readonly texts: Buffer; readonly offsets: readonly number[]; readonly pointers: Buffer }

function textTable(list: readonly string[]): TextTable {
  const parts = list.map((text) => Buffer.from(`${text}\0`))
  const offsets: number[] = []
  let end = 0
  for (const part of parts) {
    offsets.push(end)
    end += part.length
  }
  // An empty buffer would have no address.
  return {
    texts: Buffer.concat([...parts, Buffer.alloc(1)]),
    offsets,
    pointers: Buffer.alloc((list.length + 1) * 8),
  }
}

/** Fills the table of addresses, and returns its own address. */
function pointersTo(addressOf: SpawnFunctions['addressOf'], { texts, offsets, pointers }: TextTable): number {
  const textsAt = addressOf(texts)
  for (const [index, offset] of offsets.entries())
    pointers.writeBigUInt64LE(BigInt(textsAt + offset), index * 8)
  return addressOf(pointers)
}
