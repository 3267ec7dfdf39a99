package dialect

// Version changes when the same reply is read differently.
const Version = "dialect/v3"
