import { abortUpload, beginUpload, continueUpload, showUpload } from '../../shared/contract/tus.ts'
import { route, type Route } from '../http/route.ts'
import { abort } from './abort.ts'
import { begin } from './begin.ts'
import type { Desk } from './desk.ts'
import { expireUploads } from './expiry.ts'
import { goOn } from './go-on.ts'
import { createRunning } from './running.ts'
import { show } from './show.ts'

export type UploadNeeds = Omit<Desk, 'running'> & { readonly onFault: (error: unknown) => void }

/** The calls under `/api/tus`. */
export const uploadRoutes = (desk: Desk): readonly Route[] => [
  route(beginUpload, (asked) => begin(desk, asked)),
  route(showUpload, (asked) => show(desk, asked)),
  route(continueUpload, (asked) => goOn(desk, asked)),
  route(abortUpload, (asked) => abort(desk, asked)),
]

const expiryMs = 10 * 60_000

/** The calls, and what sees to uploads that were left: now, and every ten minutes until it is stopped. */
export function startUploads(needs: UploadNeeds): {
  readonly routes: readonly Route[]
  readonly stop: () => Promise<unknown>
} {
  const desk: Desk = { ...needs, running: createRunning() }
  const expire = (): Promise<unknown> => expireUploads(desk).catch(needs.onFault)
  let expiring = expire()
  const timer = setInterval(() => {
    expiring = expire()
  }, expiryMs).unref()
  return {
    routes: uploadRoutes(desk),
    async stop() {
      clearInterval(timer)
      await expiring
    },
  }
}
