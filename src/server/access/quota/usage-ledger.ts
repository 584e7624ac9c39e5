import type { Path } from '../../../shared/domain/path.ts'
import { withinTime } from '../../concurrency/within-time.ts'
import type { ScopeUsageRecord, ScopeUsageStore } from '../../records/scope-usage-record.ts'
import { createLedgerWriter, type LedgerWriter } from './ledger-writer.ts'
import type { QuotaServer } from './other-servers.ts'
import { createScopeAccount, isActive, slackBytes, type ScopeAccount } from './scope-account.ts'
import { createKeyCache, scopesAbove } from './scope-keys.ts'
import { createScopeScans, type ScopeScans } from './scope-scans.ts'

export type UsageLedgerDependencies = {
  readonly store: ScopeUsageStore
  readonly server: QuotaServer
  readonly nowMs: () => number
}

/** Keeps the accounts of a server in step with the records. Several changes of accounts are stored in one transaction. */
export type UsageLedger = ScopeScans &
  Pick<LedgerWriter, 'request'> & {
    readonly server: QuotaServer
    accountOf(scope: Path): ScopeAccount
    /** Reads the records of all scopes that contain a path. Returns the scopes that are not among the accounts. */
    readAbove(path: Path): Promise<readonly Path[]>
    /** Returns the scopes that have a record and are not among the accounts. */
    findScopes(): Promise<readonly Path[]>
    read(account: ScopeAccount): Promise<void>
    /** Notes a change that no file of this server has counted. */
    note(account: ScopeAccount, direction: 'more' | 'less'): void
    /** Must be called after the account has changed. The change is stored later. */
    touch(account: ScopeAccount): void
    /** Begins a rename in a scope. Returns the function to call at its end. */
    beginMove(account: ScopeAccount): Promise<() => void>
    /** Stores everything, and gives all grants back. */
    close(): Promise<void>
  }

/** The time in milliseconds after which a noted growth is stored. Many changes at once share a transaction. */
const noteDelayMs = 20

export function createUsageLedger({ store, server, nowMs }: UsageLedgerDependencies): UsageLedger {
  const accounts = new Map<string, ScopeAccount>()
  const keyOf = createKeyCache(server.folder)
  let noteTimer: NodeJS.Timeout | undefined

  function onRecord(record: ScopeUsageRecord): void {
    const account = accounts.get(record.key)
    // A read that was slower than a change of this server has an older record.
    if (account && record.revision >= (account.record?.revision ?? 0)) account.record = record
  }

  const writer = createLedgerWriter({
    store,
    serverId: server.id,
    onRecord,
    onGrant: (account) => touch(account),
  })
  const read = createReader(store, accounts, onRecord)
  const upkeep = createUpkeep({ writer, read, nowMs })
  const readOne = async ({ key }: ScopeAccount): Promise<void> => void (await read([key]))
  const scans = createScopeScans({ store, server, nowMs, writer, read: readOne, onRecord })
  const touch = (account: ScopeAccount): void => upkeep.touch(account)

  return {
    ...scans,
    server,
    request: (own, request) => writer.request(own, request),
    accountOf(scope) {
      const key = keyOf(scope)
      const account = accounts.get(key) ?? createScopeAccount(scope, key)
      accounts.set(key, account)
      return account
    },
    async readAbove(path) {
      const records = await read(scopesAbove(path).map(keyOf))
      return records.filter(({ key }) => !accounts.has(key)).map(({ scope }) => scope)
    },
    async findScopes() {
      const found = await store.list()
      // The scopes of another folder have other keys.
      return found
        .filter(({ key, scope }) => !accounts.has(key) && keyOf(scope) === key)
        .map(({ scope }) => scope)
    },
    read: readOne,
    note(account, direction) {
      account.notes[direction] += 1
      touch(account)
      if (direction === 'less') return
      writer.add(account)
      noteTimer ??= setTimeout(() => {
        noteTimer = undefined
        void writer.flush().catch(() => {})
      }, noteDelayMs).unref()
    },
    touch,
    beginMove: (account) => beginMove({ writer, touch, serverId: server.id }, account),
    async close() {
      clearTimeout(noteTimer)
      await upkeep.close()
    },
  }
}

/** Creates the function that reads records into the accounts with these keys, and returns them. */
function createReader(
  store: Pick<ScopeUsageStore, 'read'>,
  accounts: ReadonlyMap<string, ScopeAccount>,
  onRecord: (record: ScopeUsageRecord) => void,
): (keys: readonly string[]) => Promise<readonly ScopeUsageRecord[]> {
  return async (keys) => {
    const known = keys.map((key) => accounts.get(key)?.record?.revision)
    const records = await store.read(keys)
    for (const record of records) {
      const account = accounts.get(record.key)
      const before = known[keys.indexOf(record.key)]
      // The record was removed and made again since this server had read it, and its revisions begin anew.
      const isNew = before !== undefined && record.revision < before
      if (isNew && account?.record?.revision === before) account.record = record
      else onRecord(record)
    }
    const found = new Set(records.map(({ key }) => key))
    for (const [index, key] of keys.entries()) {
      const account = accounts.get(key)
      // The record of a scope that nobody uses is removed after a day.
      if (!found.has(key) && account?.record && account.record.revision === known[index])
        account.record = null
    }
    return records
  }
}

type MoveContext = {
  readonly writer: LedgerWriter
  readonly touch: (account: ScopeAccount) => void
  readonly serverId: string
}

async function beginMove(
  { writer, touch, serverId }: MoveContext,
  account: ScopeAccount,
): Promise<() => void> {
  account.runningMoves += 1
  const end = (): void => {
    account.runningMoves -= 1
    touch(account)
  }
  const isStored = account.record?.grants.some((grant) => grant.server === serverId && grant.isMoving)
  if (account.isMoving && isStored === true) return end
  account.isMoving = true
  writer.add(account)
  touch(account)
  await writer.flush()
  return end
}

/** The interval in milliseconds at which grants are given back that were not used in this time. */
const tickMs = 500
/** The interval in milliseconds at which a server shows that it has not ended while it has a grant. */
const heartbeatMs = 10_000
/** The time in milliseconds for which a closing server waits until its grants are given back. The whole end takes at most 8 s. */
const maxCloseMs = 1000

type UpkeepDependencies = {
  readonly writer: LedgerWriter
  readonly read: (keys: readonly string[]) => Promise<unknown>
  readonly nowMs: () => number
}

/** Stores what accounts have some time after they were used, and gives back what they do not need. */
function createUpkeep({ writer, read, nowMs }: UpkeepDependencies) {
  const active = new Set<ScopeAccount>()
  let timer: NodeJS.Timeout | undefined
  const schedule = (): void => {
    if (active.size > 0) timer ??= setTimeout(() => void tick(), tickMs).unref()
  }

  async function tick(): Promise<void> {
    const keys = [...active].map(({ key }) => key)
    // Without the records, what this server knows is used.
    await read(keys).catch(() => {})
    const atMs = performance.now()
    for (const account of active) {
      const isWanted = (account.record?.wantedUntilMs ?? 0) > nowMs()
      const isUnused = atMs - account.usedAtMs >= tickMs
      if (!isActive(account)) active.delete(account)
      else if (hasSurplus(account) && (isUnused || isWanted)) writer.add(account, { returns: true })
      else if (atMs - account.storedAtMs > heartbeatMs) writer.add(account)
    }
    if (writer.hasWork()) await writer.flush().catch(() => {})
    timer = undefined
    schedule()
  }

  return {
    touch(account: ScopeAccount): void {
      account.usedAtMs = performance.now()
      if (isActive(account)) active.add(account)
      schedule()
    },
    async close(): Promise<void> {
      for (const account of active) writer.add(account, { returns: true })
      // While another program locks the database, the grants stay. Another server removes them, since this one has ended.
      if (writer.hasWork()) await withinTime(writer.flush(), maxCloseMs).catch(() => {})
      active.clear()
      clearTimeout(timer)
    },
  }
}

/** True for an account that has something to store or to give back. */
const hasSurplus = (account: ScopeAccount): boolean =>
  slackBytes(account) > 0 ||
  account.keptBytes > 0 ||
  account.notes.more > 0 ||
  account.notes.less > 0 ||
  (account.isMoving && account.runningMoves === 0)
