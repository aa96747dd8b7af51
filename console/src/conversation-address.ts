export function conversationAddress(customer: string): string {
  return `/conversations?${new URLSearchParams({ customer })}`
}

export function customerAddress(customer: string): string {
  return `/customer?${new URLSearchParams({ customer })}`
}
