import type { ProxyFindingCode } from '../../../../shared/domain/doctor/proxy-findings.ts'
import { createPersonalStore, userSignal } from '../../../state/personal.ts'
import { measureAll } from './measure.ts'
import type { Verdict } from './verdicts.ts'

/** The results of the measurements so far. */
export type Diagnosis = {
  readonly status: 'none' | 'running' | 'done'
  readonly verdicts: Readonly<Partial<Record<ProxyFindingCode, Verdict>>>
  /** The address of a proxy that the server does not trust. Empty without one. */
  readonly peer: string
}

/** The last diagnosis of this tab. It goes on while its page is closed. */
export const diagnosis = createPersonalStore<Diagnosis>({ status: 'none', verdicts: {}, peer: '' })

/** Runs all measurements, unless they are running. They end when the user logs out. */
export async function startDiagnosis(): Promise<void> {
  if (diagnosis.get().status === 'running') return
  const signal = userSignal()
  const change = (changed: (now: Diagnosis) => Partial<Diagnosis>): void => {
    if (!signal.aborted) diagnosis.set((now) => ({ ...now, ...changed(now) }))
  }
  change(() => ({ status: 'running', verdicts: {}, peer: '' }))
  try {
    await measureAll({
      signal,
      report: (code, verdict) => change(({ verdicts }) => ({ verdicts: { ...verdicts, [code]: verdict } })),
      onPeer: (peer) => change(() => ({ peer })),
    })
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  } finally {
    // Without this, the page could not measure again after an unexpected error.
    change(() => ({ status: 'done' }))
  }
}
