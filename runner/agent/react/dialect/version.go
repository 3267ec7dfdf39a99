package dialect

// Version changes whenever the same reply is read in another way.
const Version = "dialect/v3"
