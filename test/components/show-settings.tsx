import type { ReactNode } from 'react'
import { commands } from 'vitest/browser'
import '../../src/client/i18n/settings-texts.ts'
import { QueryBoundary } from '../../src/client/api/query-boundary.tsx'
import { login } from '../../src/client/api/session.ts'
import { userOf } from '../../src/client/state/session.ts'
import { render, type Rendering } from './show-file.tsx'

/** Renders a part of the settings as an administrator sees it. */
export async function showSettings(content: ReactNode): Promise<Rendering> {
  if (userOf()?.perm.admin !== true) {
    // The first rendering of a page gives it the configuration of the server, which a login needs.
    const { end } = await render(null)
    end()
    const { administrator } = await commands.serverOfWorker()
    await login(administrator)
  }
  return render(<QueryBoundary fallback={null}>{content}</QueryBoundary>)
}
