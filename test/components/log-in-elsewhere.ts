import type { BrowserCommand } from 'vitest/node'
import { urlOfWorker } from './worker-servers.ts'

/** Starts a session of a user in another program on the server of the worker, and returns the token of the session. */
export const logInElsewhere: BrowserCommand<[username: string, password: string]> = async (
  { sessionId },
  username,
  password,
): Promise<string> => {
  const response = await fetch(`${await urlOfWorker(sessionId)}/api/login`, {
    method: 'POST',
    headers: { 'User-Agent': 'rclone/v1.68' },
    body: JSON.stringify({ username, password }),
  })
  return response.text()
}
