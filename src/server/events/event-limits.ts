/** The limits of the events sockets. They bound what the server keeps in memory for clients, and the work for them. */
export const eventLimits = {
  /** The folders that one client may watch. No screen of our client displays so many. */
  foldersPerClient: 1000,
  /**
   * The folders that all clients of one user, and all clients together, may watch. Further folders are not watched, so that
   * a client learns of their changes when it reads them. One watch takes about 2 KB of memory, and one of the watches
   * that the kernel grants a user, often 65,536.
   */
  foldersPerUser: 2000,
  folders: 20_000,
  /** The time in ms for which changes are collected for a client that has lost its connection. */
  absenceMs: 60_000,
  /**
   * The clients without a connection for which changes are collected, of one user and in total. Beyond it, the clients are
   * forgotten that connected first. A user may have as many sockets as absent clients.
   */
  absentClientsPerUser: 20,
  absentClients: 1000,
  /** The last messages that are stored for each client, to send them again after a lost connection. */
  storedMessages: 200,
  /**
   * The characters of stored messages, of one client and of all clients. A client whose messages are not stored reads its
   * folders again after a lost connection.
   */
  storedCharactersPerClient: 128 * 1024,
  storedCharacters: 16 * 1024 * 1024,
  /**
   * The characters of the paths and states that the server knows to have sent, of one client and of all clients. 128 Ki are enough for
   * a thousand entries with ordinary names. Above it, the states of the client are forgotten, and some changes are sent twice.
   */
  sentCharactersPerClient: 128 * 1024,
  sentCharacters: 16 * 1024 * 1024,
  /**
   * The bytes of messages that one client, and that all clients together, have not read yet. Above this size, the socket is
   * closed, because the client can list its folders again faster than it would read all messages.
   */
  unreadBytesPerClient: 1024 * 1024,
  unreadBytes: 32 * 1024 * 1024,
  /** The pieces of work that are done at the same time for all clients of one user. */
  concurrentWork: 8,
} as const

export type EventLimits = { readonly [Name in keyof typeof eventLimits]: number }
