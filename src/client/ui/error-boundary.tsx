import { Component, type ReactNode } from 'react'

type ErrorBoundaryProps = {
  /** A change of this value renders the children again after an error. */
  readonly resetKey: string
  readonly renderFallback: (thrown: unknown, retry: () => void) => ReactNode
  readonly children: ReactNode
}
type ErrorBoundaryState = { readonly thrown: { readonly value: unknown } | null; readonly resetKey: string }

/**
 * Renders the fallback instead of children that threw an error. This is a class because React has no other way to catch
 * rendering errors.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { thrown: null, resetKey: this.props.resetKey }

  static getDerivedStateFromError(value: unknown): Partial<ErrorBoundaryState> {
    return { thrown: { value } }
  }

  static getDerivedStateFromProps(
    { resetKey }: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): Partial<ErrorBoundaryState> | null {
    return resetKey === state.resetKey ? null : { thrown: null, resetKey }
  }

  readonly retry = (): void => this.setState({ thrown: null })

  override render(): ReactNode {
    const { thrown } = this.state
    return thrown === null ? this.props.children : this.props.renderFallback(thrown.value, this.retry)
  }
}
