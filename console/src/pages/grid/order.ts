// By which columns rows are ordered.

export interface Order {
  readonly path: string
  readonly isDescending: boolean
}

export const ordersIn = (orderBy: string): readonly Order[] =>
  orderBy
    .split(',')
    .map((item) => /^\s*(\S+?)(\s+desc|\s+asc)?\s*$/i.exec(item))
    .flatMap((found) => (found?.[1] ? [{ path: found[1], isDescending: /desc/i.test(found[2] ?? '') }] : []))

const orderText = (orders: readonly Order[]): string =>
  orders.map(({ path, isDescending }) => (isDescending ? `${path} desc` : path)).join(',')

/** The order after a click on the heading of a column: up, down, none; beside other columns, or instead of them. */
export function nextOrder(orderBy: string, path: string, isFurther: boolean): string {
  const orders = ordersIn(orderBy)
  const one = orders.find((order) => order.path === path)
  const next = one?.isDescending ? [] : [{ path, isDescending: one !== undefined }]
  if (!isFurther) return orderText(next)
  if (!one) return orderText([...orders, ...next])
  return orderText(orders.flatMap((order) => (order === one ? next : [order])))
}
