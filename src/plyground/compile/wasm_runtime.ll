; What compiled code calls that a browser lacks: memory for lists, and the square root.
;
; Numba's runtime is written in C. Here as there, a list is a small block that counts its users (%Counted) and a block for its
; items, which moves when the list grows. The heap lies between the two globals that the page sets. Its blocks are powers of two;
; freed blocks wait in one chain per size:
;
;     heap    how much of the heap was ever used (0: nothing, and the rest of this table does not count either)
;     + 4 k   the first free block of 2**k bytes, 0 if there is none
;     + 256   the blocks; each begins with k, and in the next word of a free one is the next in the chain

%Counted = type { i64, ptr, ptr, i64 }  ; how many use it, what to call for the items before it is freed, the items, their size

@__heap_base = external addrspace(1) global i32
@__heap_end = external addrspace(1) global i32

declare i64 @llvm.ctlz.i64(i64, i1)
declare i32 @llvm.umax.i32(i32, i32)
declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)
declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)
declare double @llvm.sqrt.f64(double)

define internal ptr @chain(i32 %k) {
  %heap = load i32, ptr addrspace(1) @__heap_base
  %by = shl i32 %k, 2
  %at = add i32 %heap, %by
  %chain = inttoptr i32 %at to ptr
  ret ptr %chain
}

define ptr @NRT_Allocate(i64 %size) {
  %large = icmp ugt i64 %size, 1073741824
  br i1 %large, label %full, label %fits
fits:
  %most = add i64 %size, 15
  %zeros = call i64 @llvm.ctlz.i64(i64 %most, i1 true)
  %bits = sub i64 64, %zeros
  %least = trunc i64 %bits to i32
  %k = call i32 @llvm.umax.i32(i32 %least, i32 5)
  %chain = call ptr @chain(i32 %k)
  %used = call ptr @chain(i32 0)
  %before = load i32, ptr %used
  %fresh = icmp eq i32 %before, 0
  br i1 %fresh, label %clear, label %look
clear:
  call void @llvm.memset.p0.i32(ptr %used, i8 0, i32 256, i1 false)
  store i32 256, ptr %used
  br label %look
look:
  %first = load ptr, ptr %chain
  %none = icmp eq ptr %first, null
  br i1 %none, label %new, label %again
again:
  %link = getelementptr i32, ptr %first, i32 1
  %next = load ptr, ptr %link
  store ptr %next, ptr %chain
  br label %found
new:
  %from = load i32, ptr %used
  %bytes = shl i32 1, %k
  %to = add i32 %from, %bytes
  %heap = load i32, ptr addrspace(1) @__heap_base
  %end = load i32, ptr addrspace(1) @__heap_end
  %room = sub i32 %end, %heap
  %over = icmp ugt i32 %to, %room
  br i1 %over, label %full, label %take
take:
  store i32 %to, ptr %used
  %place = add i32 %heap, %from
  %block = inttoptr i32 %place to ptr
  store i32 %k, ptr %block
  br label %found
found:
  %got = phi ptr [ %first, %again ], [ %block, %take ]
  %data = getelementptr i8, ptr %got, i32 16
  ret ptr %data
full:
  ret ptr null
}

define void @NRT_Free(ptr %data) {
  %missing = icmp eq ptr %data, null
  br i1 %missing, label %done, label %free
free:
  %block = getelementptr i8, ptr %data, i32 -16
  %k = load i32, ptr %block
  %chain = call ptr @chain(i32 %k)
  %next = load ptr, ptr %chain
  %link = getelementptr i32, ptr %block, i32 1
  store ptr %next, ptr %link
  store ptr %block, ptr %chain
  br label %done
done:
  ret void
}

define ptr @NRT_Reallocate(ptr %data, i64 %size) {
  %block = getelementptr i8, ptr %data, i32 -16
  %k = load i32, ptr %block
  %bytes = shl i32 1, %k
  %old = sub i32 %bytes, 16
  %room = zext i32 %old to i64
  %small = icmp ule i64 %size, %room
  br i1 %small, label %stay, label %move
stay:
  ret ptr %data
move:
  %new = call ptr @NRT_Allocate(i64 %size)
  %full = icmp eq ptr %new, null
  br i1 %full, label %fail, label %copy
copy:
  call void @llvm.memcpy.p0.p0.i32(ptr %new, ptr %data, i32 %old, i1 false)
  call void @NRT_Free(ptr %data)
  ret ptr %new
fail:
  ret ptr null
}

define ptr @NRT_MemInfo_new_varsize_dtor(i64 %size, ptr %dtor) {
  %items = call ptr @NRT_Allocate(i64 %size)
  %full = icmp eq ptr %items, null
  br i1 %full, label %fail, label %count
count:
  %end = getelementptr %Counted, ptr null, i32 1
  %bytes = ptrtoint ptr %end to i64
  %counted = call ptr @NRT_Allocate(i64 %bytes)
  %fuller = icmp eq ptr %counted, null
  br i1 %fuller, label %back, label %fill
back:
  call void @NRT_Free(ptr %items)
  br label %fail
fill:
  store i64 1, ptr %counted
  %at1 = getelementptr %Counted, ptr %counted, i32 0, i32 1
  store ptr %dtor, ptr %at1
  %at2 = getelementptr %Counted, ptr %counted, i32 0, i32 2
  store ptr %items, ptr %at2
  %at3 = getelementptr %Counted, ptr %counted, i32 0, i32 3
  store i64 %size, ptr %at3
  ret ptr %counted
fail:
  ret ptr null
}

define ptr @NRT_MemInfo_new_varsize(i64 %size) {
  %counted = call ptr @NRT_MemInfo_new_varsize_dtor(i64 %size, ptr null)
  ret ptr %counted
}

define ptr @NRT_MemInfo_alloc(i64 %size) {
  %counted = call ptr @NRT_MemInfo_new_varsize_dtor(i64 %size, ptr null)
  ret ptr %counted
}

define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %counted = call ptr @NRT_MemInfo_new_varsize_dtor(i64 %size, ptr null)
  ret ptr %counted
}

define ptr @NRT_MemInfo_data_fast(ptr %counted) {
  %at = getelementptr %Counted, ptr %counted, i32 0, i32 2
  %items = load ptr, ptr %at
  ret ptr %items
}

define internal ptr @keep(ptr %counted, ptr %items, i64 %size) {
  %at2 = getelementptr %Counted, ptr %counted, i32 0, i32 2
  store ptr %items, ptr %at2
  %at3 = getelementptr %Counted, ptr %counted, i32 0, i32 3
  store i64 %size, ptr %at3
  ret ptr %items
}

define ptr @NRT_MemInfo_varsize_alloc(ptr %counted, i64 %size) {
  %items = call ptr @NRT_Allocate(i64 %size)
  %kept = call ptr @keep(ptr %counted, ptr %items, i64 %size)
  ret ptr %kept
}

define ptr @NRT_MemInfo_varsize_realloc(ptr %counted, i64 %size) {
  %old = call ptr @NRT_MemInfo_data_fast(ptr %counted)
  %items = call ptr @NRT_Reallocate(ptr %old, i64 %size)
  %kept = call ptr @keep(ptr %counted, ptr %items, i64 %size)
  ret ptr %kept
}

define void @NRT_MemInfo_varsize_free(ptr %counted, ptr %items) {
  call void @NRT_Free(ptr %items)
  ret void
}

define void @NRT_incref(ptr %counted) {
  %missing = icmp eq ptr %counted, null
  br i1 %missing, label %done, label %count
count:
  %users = load i64, ptr %counted
  %more = add i64 %users, 1
  store i64 %more, ptr %counted
  br label %done
done:
  ret void
}

define void @NRT_decref(ptr %counted) {
  %missing = icmp eq ptr %counted, null
  br i1 %missing, label %done, label %count
count:
  %users = load i64, ptr %counted
  %less = sub i64 %users, 1
  store i64 %less, ptr %counted
  %unused = icmp eq i64 %less, 0
  br i1 %unused, label %free, label %done
free:
  %items = call ptr @NRT_MemInfo_data_fast(ptr %counted)
  %at1 = getelementptr %Counted, ptr %counted, i32 0, i32 1
  %dtor = load ptr, ptr %at1
  %plain = icmp eq ptr %dtor, null
  br i1 %plain, label %last, label %each
each:
  call void %dtor(ptr %items)
  br label %last
last:
  call void @NRT_Free(ptr %items)
  call void @NRT_Free(ptr %counted)
  br label %done
done:
  ret void
}

define double @sqrt(double %x) {
  %root = call double @llvm.sqrt.f64(double %x)
  ret double %root
}
