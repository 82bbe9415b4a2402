import { Component, type ReactNode } from "react";

interface Props {
  readonly fallback: (error: Error) => ReactNode;
  readonly children: ReactNode;
}

/** Keeps a page that failed to draw from taking the window with it. */
export class ErrorBoundary extends Component<Props, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render(): ReactNode {
    return this.state.error === null ? this.props.children : this.props.fallback(this.state.error);
  }
}
