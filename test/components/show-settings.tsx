import type { ReactNode } from 'react'
import { commands } from 'vitest/browser'
import '../../src/client/i18n/settings-texts.ts'
import { QueryBoundary } from '../../src/client/api/query-boundary.tsx'
import { login } from '../../src/client/api/session.ts'
import { userOf } from '../../src/client/state/session.ts'
import { render, signInOnce, type Rendering } from './show-file.tsx'

/** Signs this page in as an administrator, unless it is already. */
export async function asAdministrator(): Promise<void> {
  await signInOnce()
  const { administrator } = await commands.serverOfWorker()
  if (userOf()?.username !== administrator.username) await login(administrator)
}

/** Renders a part of the settings as an administrator sees it. */
export async function showSettings(content: ReactNode): Promise<Rendering> {
  await asAdministrator()
  return showOwnSettings(content)
}

/** Renders a part of the settings as the user sees it who is signed in. */
export async function showOwnSettings(content: ReactNode): Promise<Rendering> {
  return render(<QueryBoundary fallback={null}>{content}</QueryBoundary>)
}
