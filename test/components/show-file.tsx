import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { onTestFinished } from 'vitest'
import { commands } from 'vitest/browser'
import '../../src/client/styles/tokens.css'
import '../../src/client/styles/elements.css'
import { queryClient } from '../../src/client/api/query-client.ts'
import { callJson } from '../../src/client/api/call.ts'
import { viewedFile, fileFactsOf } from '../../src/client/features/viewers/viewed-file.ts'
import { FileViewer } from '../../src/client/features/viewers/file-viewer.tsx'
import type { ViewedFile, ViewerProps } from '../../src/client/features/viewers/viewer.ts'
import { login } from '../../src/client/api/session.ts'
import '../../src/client/i18n/later-texts.ts'
import { startLanguage } from '../../src/client/i18n/languages.ts'
import type { FileResource } from '../../src/shared/contract/resources.ts'
import { startKeyScopes } from '../../src/client/ui/keyboard/key-scopes.ts'
import type { Path } from '../../src/shared/domain/path.ts'
import type { Breakage } from './broken-requests.ts'
import type { ChosenFile } from './choose-next.ts'
import type { FileGroup } from './files.ts'
import type { WorkerServer } from './worker-server.ts'

declare module 'vitest/browser' {
  interface BrowserCommands {
    addFiles: (group: FileGroup) => Promise<void>
    breakRequests: (breakage: Breakage) => Promise<void>
    chooseNext: (file: ChosenFile) => Promise<void>
    logInElsewhere: (username: string, password: string) => Promise<string>
    mendRequests: () => Promise<void>
    serverOfWorker: () => Promise<WorkerServer>
  }
}

let signedIn: Promise<void> | null = null

/** Signs Ann in at the server of this worker. */
async function signIn(): Promise<void> {
  const { username, password } = await commands.serverOfWorker()
  await login({ username, password })
  await startLanguage('en')
}

/** Signs Ann in once for all tests of this page. After a failure, the next call tries again. */
export function signInOnce(): Promise<void> {
  signedIn ??= signIn().catch((error: unknown) => {
    signedIn = null
    throw error
  })
  return signedIn
}

/** The content that a test has rendered. It is removed with the test, unless the test ends it before. */
export type Rendering = { readonly end: () => void }

/** Renders something in the page, as Ann sees it unless somebody else has signed in since. */
export async function render(content: ReactNode): Promise<Rendering> {
  await signInOnce()
  const element = document.createElement('div')
  element.style.blockSize = '100vh'
  document.body.append(element)
  const root = createRoot(element)
  root.render(content)
  const end = (): void => {
    root.unmount()
    element.remove()
    queryClient.clear()
  }
  onTestFinished(end)
  return { end }
}

/** Returns a file of the server as viewers get it. */
export async function fileOf(path: string): Promise<ViewedFile> {
  await signInOnce()
  const resource = (await callJson('resources.get', { path: path as Path })) as FileResource
  return viewedFile(path as Path, fileFactsOf(resource), resource.subtitles)
}

let hasKeys = false

/** Gives the keys to the components that are rendered, as the program does. */
function startKeys(): void {
  if (!hasKeys) startKeyScopes(document)
  hasKeys = true
}

export type ShowOptions = {
  /** Shows the file as in the quick look. */
  readonly isQuick?: boolean
  readonly neighboursOf?: ViewerProps['neighboursOf']
}

/** Shows a file of the server in its viewer. In place of a viewer that gives up, the reason is shown. */
export async function showFile(
  path: string,
  { isQuick = false, neighboursOf = () => [] }: ShowOptions = {},
): Promise<Rendering> {
  const file = await fileOf(path)
  startKeys()
  return render(
    <FileViewer
      file={file}
      path={path as Path}
      neighboursOf={neighboursOf}
      isQuick={isQuick}
      renderFallback={(reason) => <output>{reason ?? 'no preview'}</output>}
    />,
  )
}
