import type { StateStores } from '../create-stores.ts'

type MethodAccess = {
  readonly [Store in keyof StateStores]: Readonly<Record<keyof StateStores[Store], 'read' | 'write'>>
}

/**
 * The methods that change the database, which run in the writer thread, and those that only read it, which run in the main
 * thread. A new method does not compile until it is listed. A method that is listed as `read` and writes fails, because
 * the connection of the main thread refuses changes.
 */
export const methodAccess: MethodAccess = {
  users: {
    find: 'read',
    findByName: 'read',
    hasSimilarName: 'read',
    list: 'read',
    add: 'write',
    importAll: 'write',
    update: 'write',
    updateBy: 'write',
    findHashWithPrefix: 'read',
    rehash: 'write',
    remove: 'write',
  },
  sessions: {
    add: 'write',
    addOnce: 'write',
    addToken: 'write',
    findByJti: 'read',
    findUnendedByJti: 'read',
    findByCookie: 'read',
    listOf: 'read',
    count: 'read',
    unended: 'read',
    active: 'read',
    touch: 'write',
    end: 'write',
    endAllOf: 'write',
  },
  shares: {
    add: 'write',
    addAll: 'write',
    find: 'read',
    findByAddress: 'read',
    list: 'read',
    digests: 'read',
    count: 'read',
    listOf: 'read',
    update: 'write',
    takeDownload: 'write',
    remove: 'write',
    followMove: 'write',
    hasWithin: 'read',
    sharedPlaces: 'read',
    correctPlace: 'write',
    endWithin: 'write',
    hasExpired: 'read',
    purge: 'write',
  },
  shareUses: { count: 'write', of: 'read' },
  receivedFiles: {
    begin: 'write',
    renew: 'write',
    reserve: 'write',
    complete: 'write',
    release: 'write',
    list: 'read',
    totals: 'read',
  },
  settings: {
    get: 'read',
    change: 'write',
    changeBy: 'write',
    key: 'read',
    setKey: 'write',
    signIn: 'read',
    setSignIn: 'write',
    server: 'read',
    setServer: 'write',
    takeover: 'read',
    setTakeover: 'write',
  },
  throttles: { timesOf: 'read', count: 'write' },
  tickets: { add: 'write', find: 'read', take: 'write' },
  scopeUsages: {
    read: 'read',
    list: 'read',
    change: 'write',
    beginScan: 'write',
    endScan: 'write',
    cancelScan: 'write',
  },
  uploads: {
    find: 'read',
    put: 'write',
    touch: 'write',
    remove: 'write',
    list: 'read',
    listStale: 'read',
  },
  audit: { add: 'write', find: 'read', hasBefore: 'read', removeBefore: 'write' },
  installation: { setUp: 'write', addAccounts: 'write' },
}
