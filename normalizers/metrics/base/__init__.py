"""What methods of metric values share."""
