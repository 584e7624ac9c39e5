import { useEffect, useRef, useState } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { isAborted } from '../../api/call.ts'
import { reasonOf } from '../reason.ts'
import { noTotals, totalsBelow, type TreeTotals } from './folder-totals.ts'

/** The state of counting the size of folders. While it is running, the totals grow. */
export type Measurement =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly totals: TreeTotals }
  | { readonly kind: 'complete'; readonly totals: TreeTotals }
  | { readonly kind: 'failed'; readonly reason: string }

type MeasurementControl = {
  readonly measurement: Measurement
  readonly start: () => void
  readonly cancel: () => void
}

/** Counts the size of folders on request. The count is cancelled when the dialog closes. */
export function useMeasurement(folders: readonly Path[]): MeasurementControl {
  const [measurement, setMeasurement] = useState<Measurement>({ kind: 'idle' })
  const running = useRef(new AbortController())
  useEffect(() => () => running.current.abort(), [])

  const count = async (signal: AbortSignal): Promise<void> => {
    let totals = noTotals
    setMeasurement({ kind: 'running', totals })
    try {
      for await (const next of totalsBelow(folders, signal)) {
        totals = next
        setMeasurement({ kind: 'running', totals })
      }
      setMeasurement({ kind: 'complete', totals })
    } catch (thrown) {
      if (!isAborted(thrown)) setMeasurement({ kind: 'failed', reason: reasonOf(thrown) })
    }
  }
  return {
    measurement,
    start: () => {
      running.current.abort()
      running.current = new AbortController()
      void count(running.current.signal)
    },
    cancel: () => {
      running.current.abort()
      setMeasurement({ kind: 'idle' })
    },
  }
}
