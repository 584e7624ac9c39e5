import { Component, type ReactNode } from 'react'

type ErrorBoundaryProps = {
  /** A new value shows the children again. */
  readonly resetKey: string
  readonly renderFallback: (thrown: unknown, retry: () => void) => ReactNode
  readonly children: ReactNode
}
type State = { readonly thrown: { readonly value: unknown } | null; readonly resetKey: string }

/** Shows the fallback instead of children that threw. React has no other way to catch than a class. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { thrown: null, resetKey: this.props.resetKey }

  static getDerivedStateFromError(value: unknown): Partial<State> {
    return { thrown: { value } }
  }

  static getDerivedStateFromProps({ resetKey }: ErrorBoundaryProps, state: State): Partial<State> | null {
    return resetKey === state.resetKey ? null : { thrown: null, resetKey }
  }

  readonly retry = (): void => this.setState({ thrown: null })

  override render(): ReactNode {
    const { thrown } = this.state
    return thrown === null ? this.props.children : this.props.renderFallback(thrown.value, this.retry)
  }
}
