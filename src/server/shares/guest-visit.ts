import type { UntypedRequest } from '../http/route.ts'
import type { OpenShareRequest } from './open-share.ts'

/** The parts of a request to a public link from which the guest is admitted. */
type GuestRequest = Pick<UntypedRequest, 'path' | 'header' | 'client' | 'signal' | 'runUnderPass'> & {
  readonly query: { readonly token?: string }
}

/** Returns what the admission of a guest needs from a request. */
export const visitOf = ({
  path,
  query,
  header,
  client,
  signal,
  runUnderPass,
}: GuestRequest): OpenShareRequest => ({
  path,
  token: query.token,
  header,
  address: client.address,
  signal,
  runUnderPass,
})
