import { useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { startWorker } from '../../../api/trusted-sinks.ts'

/**
 * Runs a worker as long as the component is mounted, and returns a function that sends it commands. `onReply` gets its
 * messages. `onBroken` is called when the worker cannot be loaded or fails. `address` comes from an import with `?worker&url`.
 */
export function useWorker(
  address: string,
  listeners: { readonly onReply: (reply: unknown) => void; readonly onBroken: () => void },
): (command: object) => void {
  const running = useRef<Worker | null>(null)
  const onReply = useEffectEvent(listeners.onReply)
  const onBroken = useEffectEvent(listeners.onBroken)
  useEffect(() => {
    const worker = startWorker(address)
    running.current = worker
    worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => onReply(data))
    worker.addEventListener('error', () => onBroken())
    return () => worker.terminate()
  }, [address])
  return useCallback((command: object) => running.current?.postMessage(command), [])
}
