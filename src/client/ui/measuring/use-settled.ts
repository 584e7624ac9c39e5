import { useEffect, useEffectEvent, useState } from 'react'

/** Returns the first value, and later the last one whose key has stayed the same for `ms` milliseconds. */
export function useSettled<Value>(
  value: Value,
  { key, ms }: { readonly key: string; readonly ms: number },
): Value {
  const [settled, setSettled] = useState({ value })
  const settle = useEffectEvent(() => setSettled({ value }))
  useEffect(() => {
    const timer = setTimeout(settle, ms)
    return () => clearTimeout(timer)
  }, [key, ms])
  return settled.value
}
