/** The protobuf name of an enum value: `SECRET` for `secret`. */
export function enumName<Value extends string>(value: Value): Uppercase<Value> {
  return value.toUpperCase() as Uppercase<Value>;
}
