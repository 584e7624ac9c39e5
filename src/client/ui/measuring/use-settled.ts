import { useEffect, useEffectEvent, useState } from 'react'

/** Returns the first value, and later the last one whose key has stayed the same for `ms` milliseconds. */
export function useSettled<Value>(
  value: Value,
  { key, ms }: { readonly key: string; readonly ms: number },
): Value {
  const [settled, setSettled] = useState({ key, value })
  const settle = useEffectEvent((settledKey: string) => setSettled({ key: settledKey, value }))
  useEffect(() => {
    const timer = setTimeout(() => settle(key), ms)
    return () => clearTimeout(timer)
  }, [key, ms])
  return settled.value
}
