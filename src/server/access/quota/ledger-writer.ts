import type {
  GrantRequest,
  ScopeUsageChange,
  ScopeUsageRecord,
  ScopeUsageStore,
} from '../../records/scope-usage-record.ts'
import { sameScan, slackBytes, type ScopeAccount } from './scope-account.ts'

/** Stores changes of accounts. All changes that are added while a transaction runs share the next one. */
export type LedgerWriter = {
  /**
   * Adds an account to the next transaction. `returns` gives back what the account does not need, and `wants` asks other servers
   * to do so.
   */
  add(account: ScopeAccount, options?: { readonly returns?: boolean; readonly wants?: boolean }): void
  hasWork(): boolean
  /** Resolves when a transaction that began after this call has ended. */
  flush(): Promise<void>
  /** Asks for larger grants. Returns the extra bytes, or null when the quota would be exceeded. */
  request(accounts: readonly ScopeAccount[], request: GrantRequest): Promise<number | null>
}

export type LedgerWriterDependencies = {
  readonly store: Pick<ScopeUsageStore, 'change'>
  readonly serverId: string
  readonly onRecord: (record: ScopeUsageRecord) => void
  /** Called when an account has got a larger grant. */
  readonly onGrant: (account: ScopeAccount) => void
}

type PendingRequest = {
  readonly request: GrantRequest
  readonly accounts: readonly ScopeAccount[]
  readonly resolve: (extraBytes: number | null) => void
  readonly reject: (error: unknown) => void
}

/** The changes that the next transaction stores. */
type Batch = {
  readonly accounts: Set<ScopeAccount>
  readonly returning: Set<ScopeAccount>
  readonly wanting: Set<ScopeAccount>
  readonly requests: PendingRequest[]
}

type SentChange = {
  readonly account: ScopeAccount
  readonly change: ScopeUsageChange
  readonly returnedBytes: number
  readonly endsMoves: boolean
}

const emptyBatch = (): Batch => ({
  accounts: new Set(),
  returning: new Set(),
  wanting: new Set(),
  requests: [],
})

export function createLedgerWriter(dependencies: LedgerWriterDependencies): LedgerWriter {
  let batch = emptyBatch()
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null

  async function send(): Promise<void> {
    const sent = batch
    batch = emptyBatch()
    await sendBatch(dependencies, sent)
  }

  function flush(): Promise<void> {
    if (running === null) {
      running = send().finally(() => (running = null))
      return running
    }
    const after = (): Promise<void> => {
      next = null
      return flush()
    }
    next ??= running.then(after, after)
    return next
  }

  return {
    add(account, { returns = false, wants = false } = {}) {
      batch.accounts.add(account)
      if (returns) batch.returning.add(account)
      if (wants) batch.wanting.add(account)
    },
    hasWork: () => batch.accounts.size > 0,
    flush,
    request(accounts, request) {
      const { promise, resolve, reject } = Promise.withResolvers<number | null>()
      batch.requests.push({ request, accounts, resolve, reject })
      for (const account of accounts) batch.accounts.add(account)
      flush().catch(() => {})
      return promise
    },
  }
}

async function sendBatch(
  { store, serverId, onRecord, onGrant }: LedgerWriterDependencies,
  batch: Batch,
): Promise<void> {
  const sent = [...batch.accounts].map((account) => takeChange(account, batch))
  try {
    const { usages, extraBytes } = await store.change({
      server: serverId,
      changes: sent.map(({ change }) => change),
      grants: batch.requests.map(({ request }) => request),
    })
    for (const one of sent) onStored(one)
    for (const record of usages) onRecord(record)
    for (const [index, pending] of batch.requests.entries()) {
      const extra = extraBytes[index] ?? null
      if (extra !== null) enlargeGrants(pending, extra)
      for (const account of pending.accounts) onGrant(account)
      pending.resolve(extra)
    }
  } catch (error) {
    for (const one of sent) onFailed(one)
    for (const { reject } of batch.requests) reject(error)
    throw error
  }
}

/** Takes what an account has not stored yet. */
function takeChange(account: ScopeAccount, { returning, wanting }: Batch): SentChange {
  const returnedBytes = returning.has(account) ? Math.max(0, slackBytes(account)) : 0
  const endsMoves = returning.has(account) && account.isMoving && account.runningMoves === 0
  if (endsMoves) account.isMoving = false
  const { grantBytes, keptBytes, keptAtScan, notes, scope, key } = account
  account.grantBytes -= returnedBytes
  account.keptAtScan = undefined
  const change = {
    key,
    scope,
    addedBytes: keptBytes,
    addedAtScan: keptAtScan ?? null,
    ...notes,
    grantBefore: grantBytes,
    // A scan may find that a file has replaced fewer bytes than its grant was requested for. The record then counts the stored
    // bytes, and a grant below 0 would take as many bytes from what it counts.
    grantBytes: Math.max(0, grantBytes - returnedBytes - keptBytes),
    isMoving: account.isMoving,
    wants: wanting.has(account),
  }
  return { account, change, returnedBytes, endsMoves }
}

function onStored({ account, change }: SentChange): void {
  account.keptBytes -= change.addedBytes
  account.grantBytes = change.grantBytes
  account.notes.more -= change.more
  account.notes.less -= change.less
  account.storedAtMs = performance.now()
}

/** Restores what could not be stored. Whether the bytes were counted is unknown after a lost connection. */
function onFailed({ account, change, returnedBytes, endsMoves }: SentChange): void {
  account.grantBytes += returnedBytes
  // The record may still say that entries are being moved, which keeps scans from lowering the bytes.
  if (endsMoves) account.isMoving = true
  account.keptAtScan = sameScan(account.keptAtScan, change.addedBytes > 0 ? change.addedAtScan : undefined)
  if (change.addedBytes > 0) account.notes.more = Math.max(account.notes.more, 1)
}

function enlargeGrants({ accounts, request }: PendingRequest, extraBytes: number): void {
  for (const account of accounts) {
    const bytes = request.scopes.find(({ key }) => key === account.key)?.bytes
    if (bytes !== undefined) account.grantBytes += bytes + extraBytes
  }
}
