export type SessionRecord = {
  /** The public id, which the list of sessions displays. It is not a credential. */
  readonly id: string
  readonly userId: number
  readonly createdAtMs: number
  readonly seenAtMs: number
  readonly idleUntilMs: number
  readonly endsAtMs: number
  readonly agent: string
  readonly address: string
}

/** The digest of a token's `jti`, and the time at which the token expires. */
export type SessionToken = { readonly jtiDigest: string; readonly expiresAtMs: number }

/**
 * The store of sessions. A session is found by the digest of its token's `jti` or of its cookie, because the secrets
 * themselves are not stored. Ended sessions are not found.
 */
export type SessionStore = {
  /**
   * Stores a session. Ends the user's least recently used sessions beyond the limit, and returns their ids. Throws
   * `login-failed` when the user has been removed.
   */
  add(
    session: SessionRecord & { readonly cookieDigest: string; readonly token: SessionToken },
  ): Promise<readonly string[]>
  /**
   * Stores a session as `add` does, unless a session was stored for its token before, whether or not that session has
   * ended, and unless all sessions of the user were ended once, as a new password does. Returns the ids of the sessions that were ended by it.
   */
  addOnce(
    session: SessionRecord & { readonly cookieDigest: string; readonly token: SessionToken },
  ): Promise<readonly string[]>
  /**
   * Adds a token to a session. Throws `too-many-tries` when the session already has the maximum number of tokens, and
   * `not-signed-in` when the session does not exist.
   */
  addToken(sessionId: string, token: SessionToken): Promise<void>
  findByJti(jtiDigest: string): Promise<SessionRecord | null>
  /** Works like `findByJti`, but also finds a session that was idle for too long. */
  findUnendedByJti(jtiDigest: string): Promise<SessionRecord | null>
  findByCookie(cookieDigest: string): Promise<SessionRecord | null>
  listOf(userId: number): Promise<readonly SessionRecord[]>
  /** Returns the number of sessions that have not ended. */
  count(): Promise<number>
  /**
   * Returns the given ids whose sessions were not ended and have not reached their absolute end. Sessions that were
   * idle for too long are included.
   */
  unended(ids: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Returns the given ids whose sessions were not ended, have not reached their absolute end, and were not idle for too
   * long.
   */
  active(ids: readonly string[]): Promise<ReadonlySet<string>>
  touch(id: string, until: { readonly seenAtMs: number; readonly idleUntilMs: number }): Promise<void>
  end(id: string): Promise<void>
  /**
   * Ends all sessions of a user except `exceptId`. Sessions that were idle for too long are also ended, because a long
   * operation may still run in them. Returns the ids of the ended sessions.
   */
  endAllOf(userId: number, exceptId?: string): Promise<readonly string[]>
}
