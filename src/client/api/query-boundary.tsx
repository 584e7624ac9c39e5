import { useIsFetching } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { queryClient } from './query-client.ts'

type QueryBoundaryProps = { readonly fallback: ReactNode; readonly children: ReactNode }

/**
 * Renders a fallback while the children wait for data, and the children as soon as the data has arrived. A `Suspense`
 * alone would show them up to 300 ms after its fallback, which React does against flicker. It does not do so when the
 * component around the `Suspense` is rendered again, as here at the end of each request.
 */
export function QueryBoundary({ fallback, children }: QueryBoundaryProps) {
  // The compiler would keep the element while the properties are the same, and React would then not render it again.
  'use no memo'
  useIsFetching(undefined, queryClient)
  return <Suspense fallback={fallback}>{children}</Suspense>
}
