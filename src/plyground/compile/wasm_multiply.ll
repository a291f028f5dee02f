; The product of two words of 128 bits, which LLVM uses for sums that it knows in closed form.
define i128 @__multi3(i128 %a, i128 %b) {
  %a_low = trunc i128 %a to i64
  %a_up = lshr i128 %a, 64
  %a_high = trunc i128 %a_up to i64
  %b_low = trunc i128 %b to i64
  %b_up = lshr i128 %b, 64
  %b_high = trunc i128 %b_up to i64
  %a0 = and i64 %a_low, 4294967295
  %a1 = lshr i64 %a_low, 32
  %b0 = and i64 %b_low, 4294967295
  %b1 = lshr i64 %b_low, 32
  %p00 = mul i64 %a0, %b0
  %p01 = mul i64 %a0, %b1
  %p10 = mul i64 %a1, %b0
  %p11 = mul i64 %a1, %b1
  %c0 = lshr i64 %p00, 32
  %c1 = and i64 %p01, 4294967295
  %c2 = and i64 %p10, 4294967295
  %c01 = add i64 %c0, %c1
  %carry = add i64 %c01, %c2
  %low = mul i64 %a_low, %b_low
  %d1 = lshr i64 %p01, 32
  %d2 = lshr i64 %p10, 32
  %d3 = lshr i64 %carry, 32
  %cross1 = mul i64 %a_low, %b_high
  %cross2 = mul i64 %a_high, %b_low
  %s1 = add i64 %p11, %d1
  %s2 = add i64 %s1, %d2
  %s3 = add i64 %s2, %d3
  %s4 = add i64 %s3, %cross1
  %high = add i64 %s4, %cross2
  %wide_low = zext i64 %low to i128
  %wide_high = zext i64 %high to i128
  %up = shl i128 %wide_high, 64
  %product = or i128 %up, %wide_low
  ret i128 %product
}
