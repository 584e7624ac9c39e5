import '@vitest/browser-playwright'
import type { BrowserCommand } from 'vitest/node'

/** How requests fail: with the answer of a server, or without any answer. */
export type Breakage = {
  /** Matches the addresses of the requests. */
  readonly pattern: string
  readonly method?: string
  /** The answer. Without it, the connection is lost. */
  readonly answer?: { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
}

/** Lets requests of the page fail until `mendRequests`. */
export const breakRequests: BrowserCommand<[breakage: Breakage]> = async (
  { page },
  { pattern, method, answer },
) => {
  await page.route(new RegExp(pattern), async (route) => {
    if (method !== undefined && route.request().method() !== method) return route.fallback()
    return answer === undefined ? route.abort('connectionreset') : route.fulfill({ ...answer, body: '' })
  })
}

/** Lets all requests of the page reach the server again. */
export const mendRequests: BrowserCommand = async ({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' })
