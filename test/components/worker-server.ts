/** The server of a component test, as its page knows it. */
export type WorkerServer = {
  /** The base path of the server, which is also its path on the host of the page. */
  readonly basePath: string
  readonly username: string
  readonly password: string
  /** The account of an administrator. */
  readonly administrator: { readonly username: string; readonly password: string }
}
