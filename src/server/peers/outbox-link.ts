import type { Timer } from '../concurrency/later.ts'
import { withinTime } from '../concurrency/within-time.ts'
import { batchLifetimeMs, type Outbox, type OutboxBatch } from '../records/outbox.ts'
import { peerLimits, type PeerLimits, type PeerLink, type PeerListener } from './peer-link.ts'

export type OutboxLinkOptions = {
  readonly outbox: Outbox
  /** The name of this server, which no other server has. */
  readonly name: string
  readonly listener: PeerListener
  readonly later: Timer
  readonly onFault: (error: unknown) => void
  readonly limits?: PeerLimits
}

/** The time in milliseconds between two batches of one server. A message that follows a longer pause is sent at once. */
const batchMs = 20
/** The characters of a batch. */
const batchCharacters = 256 * 1024
/** The time in milliseconds after which a failed statement is repeated. */
const repeatMs = 1000
/** The interval in milliseconds at which batches are read while there are peers, in case a notice is lost. */
const readMs = 1000
/** The interval in milliseconds at which this server registers. */
const registerMs = 5000
/**
 * The time in milliseconds without a successful read after which messages count as lost: half of the time for which they
 * are stored.
 */
const maxSilenceMs = batchLifetimeMs / 2
/** The time in milliseconds between two batches of a server that has stored as much as it may. */
const fullBatchMs = 1000

/** The time in milliseconds for which a stopping server waits for a database that cannot be reached. */
const maxLeaveMs = 1000

/** The number of servers above which those that have ended are forgotten. Each start of a server is another one. */
const maxKnownServers = 100

/** The message that stands for messages that were not sent, because there was no room or no peer. */
const lossMessage = '{"isLoss":true}'

type OutboxLinkState = OutboxLinkOptions & {
  readonly limits: PeerLimits
  others: ReadonlySet<string>
  /** True while the last batches of a server that has ended may not have been read. */
  hasUnreadLeaver: boolean
  /** The numbers of the batches that were read last. */
  readonly read: Map<string, number>
  readAtMs: number
  /** The messages that wait to be stored, as JSON. */
  waiting: string[]
  waitingCharacters: number
  /** The characters of the messages that were stored since a time. */
  storedCharacters: number
  storedSinceMs: number
  isClosing: boolean
}

/**
 * Links the servers of one state through its database. A message is stored in a batch with those of the next 20 ms, and the
 * others get a notice to read it. While no other server runs, nothing is stored.
 */
export async function openOutboxLink(options: OutboxLinkOptions): Promise<PeerLink> {
  const { outbox, name } = options
  const state: OutboxLinkState = {
    limits: peerLimits,
    ...options,
    others: new Set(),
    hasUnreadLeaver: false,
    read: new Map(await outbox.lastNumbers()),
    readAtMs: performance.now(),
    waiting: [],
    waitingCharacters: 0,
    storedCharacters: 0,
    storedSinceMs: performance.now(),
    isClosing: false,
  }
  const writer = createWriter(state)
  const reader = createSerialTask(state, { everyMs: readMs, run: () => readBatches(state) })
  const registry = createSerialTask(state, {
    everyMs: registerMs,
    run: async () => {
      if (await register(state)) writer.flushSoon()
      if (state.hasUnreadLeaver) void reader.runNow()
    },
  })
  // This server has not changed anything yet, so that its peers have missed nothing.
  state.others = new Set((await outbox.register(name)).others)
  if (state.others.size > 0) await outbox.notify('server').catch(options.onFault)
  const stopListening = outbox.listen((notice) => {
    if (notice === 'server') void registry.runNow()
    if (state.others.size > 0) void reader.runNow()
  })
  async function leave(): Promise<void> {
    await Promise.all([stopListening(), reader.stop(), registry.stop()])
    await writer.flush()
    await outbox.unregister(name).catch(options.onFault)
  }

  return {
    send(createMessage) {
      if (state.others.size === 0 || state.isClosing) return
      addMessage(state, JSON.stringify(createMessage()))
      writer.flushSoon()
    },
    async close() {
      state.isClosing = true
      await withinTime(leave(), maxLeaveMs)
    },
  }
}

/** Adds a message to those that wait. Without room, one message about the loss takes the place of all. */
function addMessage(state: OutboxLinkState, message: string): void {
  const { waitingCharacters, messageCharacters } = state.limits
  if (
    message.length > messageCharacters ||
    state.waitingCharacters + message.length + state.waiting.length > waitingCharacters
  )
    return replaceByLoss(state)
  state.waiting.push(message)
  state.waitingCharacters += message.length
}

function replaceByLoss(state: OutboxLinkState): void {
  state.waiting = [lossMessage]
  state.waitingCharacters = lossMessage.length
}

/** True when this server has stored as many messages as it may in the time for which they are kept. */
function isFull(state: OutboxLinkState): boolean {
  if (performance.now() - state.storedSinceMs > batchLifetimeMs) {
    state.storedCharacters = 0
    state.storedSinceMs = performance.now()
  }
  return state.storedCharacters > state.limits.storedCharacters
}

/** Registers this server. Returns true when there is something to send. */
async function register(state: OutboxLinkState): Promise<boolean> {
  const { outbox, name, listener } = state
  const { others, lost } = await outbox.register(name)
  const before = state.others
  state.others = new Set(others)
  // A server that stops stores its last batch before it leaves, and the notice of it may have been lost.
  if ([...before].some((server) => !state.others.has(server))) state.hasUnreadLeaver = true
  // Messages that a killed server had not stored yet are lost.
  if (lost.some((server) => before.has(server))) listener.onLoss()
  if (state.read.size > maxKnownServers) await forgetServers(state)
  if (others.length === 0) {
    state.waiting = []
    state.waitingCharacters = 0
  }
  if (others.every((server) => before.has(server))) return false
  // Nothing was stored for a server that was not known.
  addMessage(state, lossMessage)
  return true
}

/** Forgets the servers that have ended and of which no batch is stored any more. */
async function forgetServers({ outbox, read, others }: OutboxLinkState): Promise<void> {
  const stored = await outbox.lastNumbers()
  for (const server of read.keys()) if (!stored.has(server) && !others.has(server)) read.delete(server)
}

async function readBatches(state: OutboxLinkState): Promise<void> {
  const { outbox, name, listener, read } = state
  if (state.others.size === 0 && !state.hasUnreadLeaver) {
    state.readAtMs = performance.now()
    return
  }
  for (;;) {
    // A server that disappears during the query sets the flag again.
    const { hasUnreadLeaver } = state
    state.hasUnreadLeaver = false
    const batches = await outbox.read(name, read).catch((error: unknown) => {
      state.hasUnreadLeaver ||= hasUnreadLeaver
      throw error
    })
    if (performance.now() - state.readAtMs > maxSilenceMs) listener.onLoss()
    state.readAtMs = performance.now()
    if (batches.length === 0) return
    for (const batch of batches) receive(state, batch)
  }
}

function receive({ read, listener }: OutboxLinkState, { server, number, messages }: OutboxBatch): void {
  if (number !== (read.get(server) ?? 0) + 1) listener.onLoss()
  read.set(server, number)
  const list = messagesIn(messages)
  if (list === null) return listener.onLoss()
  for (const message of list)
    if (isLoss(message)) listener.onLoss()
    else listener.onMessage(message)
}

/** Parses the messages of a batch. Returns null for text that is not a list in JSON. */
function messagesIn(text: string): readonly unknown[] | null {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : null
  } catch {
    return null
  }
}

const isLoss = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && (message as { isLoss?: unknown }).isLoss === true

/** Creates the task that stores the messages that wait, one batch after the other. */
function createWriter(state: OutboxLinkState) {
  const { outbox, name, later, onFault } = state
  let lastNumber = 0
  let isScheduled = false
  let running: Promise<void> = Promise.resolve()
  let sentAtMs = Number.NEGATIVE_INFINITY

  /** Stores one batch. Returns true when there is more to store. */
  async function storeBatch(): Promise<boolean> {
    if (state.waiting.length > 0 && isFull(state)) replaceByLoss(state)
    const messages = takeBatch(state)
    if (messages.length === 0) return false
    const batch = { server: name, number: lastNumber + 1, messages: `[${messages.join(',')}]` }
    for (let failures = 0; ; failures += 1) {
      try {
        await outbox.add(batch)
        break
      } catch (error) {
        if (failures === 0) onFault(error)
        if (state.isClosing) return false
        await new Promise<void>((resolve) => void later(repeatMs, resolve))
      }
    }
    lastNumber += 1
    sentAtMs = performance.now()
    // A lost notice delays the batch by a second.
    await outbox.notify('batch').catch(() => {})
    return state.waiting.length > 0
  }

  async function storeAll(): Promise<void> {
    while (await storeBatch());
  }

  const flush = (): Promise<void> => (running = running.then(storeAll))

  function flushSoon(): void {
    if (isScheduled) return
    isScheduled = true
    const intervalMs = isFull(state) ? fullBatchMs : batchMs
    const waitMs = Math.max(0, sentAtMs + intervalMs - performance.now())
    later(waitMs, () => {
      isScheduled = false
      void flush()
    })
  }

  return { flush, flushSoon }
}

/** Takes as many of the messages that wait as fit into a batch. */
function takeBatch(state: OutboxLinkState): readonly string[] {
  let characters = 0
  const tooMuch = state.waiting.findIndex((message) => (characters += message.length) > batchCharacters)
  const taken = state.waiting.splice(0, tooMuch === -1 ? state.waiting.length : Math.max(1, tooMuch))
  const takenCharacters = taken.reduce((sum, { length }) => sum + length, 0)
  state.waitingCharacters -= takenCharacters
  state.storedCharacters += takenCharacters
  return taken
}

type SerialTaskOptions = { readonly everyMs: number; readonly run: () => Promise<void> }

/**
 * Creates a task that runs at an interval and on demand, and never twice at the same time. A demand during a run causes
 * another run. The first start is at the first demand or after the interval. Of failures in a row, one is reported.
 */
function createSerialTask({ later, onFault }: OutboxLinkState, { everyMs, run }: SerialTaskOptions) {
  let isStopped = false
  let isDemanded = false
  let hasFailed = false
  let running: Promise<void> | null = null
  let cancel = later(everyMs, () => void runNow())

  async function runOnce(): Promise<void> {
    try {
      await run()
      hasFailed = false
    } catch (error) {
      if (!hasFailed) onFault(error)
      hasFailed = true
    }
  }

  async function runAll(): Promise<void> {
    cancel()
    while (isDemanded) {
      isDemanded = false
      await runOnce()
    }
    running = null
    if (!isStopped) cancel = later(everyMs, () => void runNow())
  }

  function runNow(): Promise<void> {
    if (isStopped) return Promise.resolve()
    isDemanded = true
    return (running ??= runAll())
  }

  return {
    runNow,
    async stop() {
      isStopped = true
      isDemanded = false
      cancel()
      await running
    },
  }
}
